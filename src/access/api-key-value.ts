import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from '../lib/base62.ts';

export const keyKinds = ['organization', 'user', 'workspace', 'instance', 'legacy', 'agentic'] as const;
export type KeyKind = (typeof keyKinds)[number];

const letterOfKind: Record<KeyKind, string> = {
  organization: 'o',
  user: 'u',
  workspace: 'w',
  instance: 'i',
  legacy: 'l',
  agentic: 'a',
};

const randomLength = 43; // 62^43 > 2^256: 32 random bytes always fit
const checksumLength = 6;
const random = `[0-9A-Za-z]{${randomLength + checksumLength}}`;
const keyShape = new RegExp(`^pst_[${Object.values(letterOfKind).join('')}]_${random}$`);
const sourceShape = new RegExp(`^pss_${random}$`);

function checksum(text: string): string {
  return toBase62(BigInt(crc32(text)), checksumLength);
}

/** Generates a value: a prefix that identifies its purpose, 32 random bytes in base 62, and a checksum. */
function newValue(prefix: string): string {
  const body = prefix + toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength);
  return body + checksum(body);
}

function isValue(shape: RegExp, value: string): boolean {
  return shape.test(value) && checksum(value.slice(0, -checksumLength)) === value.slice(-checksumLength);
}

/** Generates a new key value: `pst_`, the kind's letter, 32 random bytes in base 62 and a checksum. */
export function newKeyValue(kind: KeyKind): string {
  return newValue(`pst_${letterOfKind[kind]}_`);
}

/** Whether a value is well-formed; detects typos without querying the database. */
export function isKeyValue(value: string): boolean {
  return isValue(keyShape, value);
}

/** Generates the key of a new event source. */
export function newSourceValue(): string {
  return newValue('pss_');
}

/** Like `isKeyValue`, for the key of an event source. */
export function isSourceValue(value: string): boolean {
  return isValue(sourceShape, value);
}

/** The kind of key that a well-formed value encodes. The value was generated for this kind, so the stored key has the same. */
export function kindOfKeyValue(value: string): KeyKind {
  return keyKinds.find((kind) => value.startsWith(`pst_${letterOfKind[kind]}_`))!;
}

/** The hash that is stored instead of the value. */
export function hashKeyValue(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}
