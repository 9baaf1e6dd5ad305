import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError } from '../db/embedded/embedded-errors.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from './private-file.ts';

/** A key that seals values, and the short id by which a sealed value refers to its key. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** The keys of an installation: new values are sealed with the first; the others only open what they sealed. */
export interface KeyRing {
  readonly keys: readonly SealingKey[];
  /** Where the keys come from: a file can be changed by `postil secrets rotate`, the environment cannot. */
  readonly origin: { readonly file: string } | 'environment';
}

const keyBytes = 32;

/** Where a data folder keeps its keys. */
export function keyFileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'secret-key');
}

function keyOf(bytes: Buffer): SealingKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Reads keys written as 32 bytes in base64 or hex, separated by commas or line breaks; undefined if one is malformed. */
export function parseKeys(text: string): SealingKey[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = parts.map((part) =>
    /^[0-9a-f]{64}$/i.test(part) ? Buffer.from(part, 'hex') : Buffer.from(part, 'base64'),
  );
  const areValid = keys.length > 0 && keys.every(({ length }) => length === keyBytes);
  return areValid ? keys.map(keyOf) : undefined;
}

/** A new random key. */
export function newKey(): SealingKey {
  return keyOf(randomBytes(keyBytes));
}

function textOf(keys: readonly SealingKey[]): string {
  return keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('');
}

/** Replaces the keys in the file. */
export async function writeKeyFile(file: string, keys: readonly SealingKey[]): Promise<void> {
  await replacePrivateFile(file, textOf(keys));
}

async function readKeyFile(file: string): Promise<SealingKey[] | undefined> {
  const found = await readPrivateFile(file);
  if (found === undefined) return undefined;
  const keys = parseKeys(found.text);
  // A new key would make everything that was sealed unreadable, so a damaged file is never replaced.
  if (keys === undefined)
    throw new DataFolderError(
      `${file} does not contain keys of 32 bytes in base64; restore it from your backup`,
    );
  if (found.isExposed) await chmod(file, 0o600);
  return keys;
}

/** Creates the file unless it exists: if two servers start at once, both use the key of the first. */
async function createKeyFile(file: string): Promise<SealingKey[]> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const keys = [newKey()];
  if (await createPrivateFile(file, textOf(keys))) return keys;
  return (await readKeyFile(file)) ?? [];
}

interface KeySettings {
  readonly secretKeys: readonly SealingKey[] | undefined;
  readonly dataDirectory: string;
}

/** The keys from POSTIL_SECRET_KEY, otherwise those in the data folder; undefined if there are none yet. */
export async function readKeyRing(settings: KeySettings): Promise<KeyRing | undefined> {
  if (settings.secretKeys !== undefined) return { keys: settings.secretKeys, origin: 'environment' };
  const file = keyFileIn(settings.dataDirectory);
  const keys = await readKeyFile(file);
  return keys && { keys, origin: { file } };
}

/** The same, for a server: its first start creates a key. */
export async function loadKeyRing(settings: KeySettings): Promise<KeyRing> {
  const file = keyFileIn(settings.dataDirectory);
  return (await readKeyRing(settings)) ?? { keys: await createKeyFile(file), origin: { file } };
}
