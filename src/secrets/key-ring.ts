import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DataFolderError } from '../db/embedded/embedded-errors.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from './private-file.ts';

/** A key that seals values, and the short id by which sealed values refer to it. */
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

const keyLength = 32;

/** The path of the key file in a data folder. */
export function keyFileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'secret-key');
}

function toSealingKey(bytes: Buffer): SealingKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Parses 32-byte keys in base64 or hex, separated by commas or line breaks; undefined if one is malformed. */
export function parseKeys(text: string): SealingKey[] | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = parts.map((part) =>
    /^[0-9a-f]{64}$/i.test(part) ? Buffer.from(part, 'hex') : Buffer.from(part, 'base64'),
  );
  const areValid = keys.length > 0 && keys.every(({ length }) => length === keyLength);
  return areValid ? keys.map(toSealingKey) : undefined;
}

/** A new random key. */
export function newKey(): SealingKey {
  return toSealingKey(randomBytes(keyLength));
}

function formatKeys(keys: readonly SealingKey[]): string {
  return keys.map(({ bytes }) => `${bytes.toString('base64')}\n`).join('');
}

/** Replaces the keys in the file. */
export async function writeKeyFile(file: string, keys: readonly SealingKey[]): Promise<void> {
  await replacePrivateFile(file, formatKeys(keys));
}

async function readKeyFile(file: string): Promise<SealingKey[] | undefined> {
  const contents = await readPrivateFile(file);
  if (contents === undefined) return undefined;
  const keys = parseKeys(contents.text);
  // A damaged file is never replaced, because everything sealed so far would be unreadable with a new key.
  if (keys === undefined)
    throw new DataFolderError(
      `${file} does not contain valid 32-byte keys (base64 or hex); restore it from your backup`,
    );
  if (contents.isReadableByOthers) await chmod(file, 0o600);
  return keys;
}

/** Creates the file unless it exists: if two servers start at once, both use the key of the first. */
async function createKeyFile(file: string): Promise<SealingKey[]> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const keys = [newKey()];
  if (await createPrivateFile(file, formatKeys(keys))) return keys;
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

/** Like `readKeyRing`, but creates a key on the server's first start. */
export async function loadKeyRing(settings: KeySettings): Promise<KeyRing> {
  const file = keyFileIn(settings.dataDirectory);
  return (await readKeyRing(settings)) ?? { keys: await createKeyFile(file), origin: { file } };
}
