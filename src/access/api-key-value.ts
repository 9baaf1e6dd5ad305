import { createHash, randomBytes } from 'node:crypto';
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
const shape = new RegExp(
  `^pst_[${Object.values(letterOfKind).join('')}]_[0-9A-Za-z]{${randomLength + checksumLength}}$`,
);

function checksum(text: string): string {
  return toBase62(BigInt(crc32(text)), checksumLength);
}

/** Makes a new key value: `pst_`, the kind's letter, 32 random bytes in base 62 and a checksum. */
export function newKeyValue(kind: KeyKind): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength);
  const body = `pst_${letterOfKind[kind]}_${random}`;
  return body + checksum(body);
}

/** Tells a well-formed value from a typo without asking the database. */
export function isKeyValue(value: string): boolean {
  return shape.test(value) && checksum(value.slice(0, -checksumLength)) === value.slice(-checksumLength);
}

/** The kind that a well-formed value says it is of; it is of no other, since the value was made for it. */
export function kindOfKeyValue(value: string): KeyKind {
  return keyKinds.find((kind) => value.startsWith(`pst_${letterOfKind[kind]}_`))!;
}

/** What is stored instead of the value. */
export function hashKeyValue(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
