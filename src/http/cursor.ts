import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { Db } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';

const nonceLength = 12;
const tagLength = 16;

/** Encrypts page positions, so that callers can neither read nor change them nor use them for another request. */
export interface CursorCodec {
  seal(binding: unknown, position: unknown): string;
  /** Returns the position; throws INVALID_REQUEST unless `seal` returned this cursor for the same binding. */
  open<Position>(binding: unknown, cursor: string): Position;
}

function bindingBytes(binding: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(binding)).digest();
}

/** Creates the codec for a secret that all server nodes share. */
export function createCursorCodec(secret: Buffer): CursorCodec {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'postil cursor v1', 32)));
  return {
    seal(binding, position) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bindingBytes(binding));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(position)), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open<Position>(binding: unknown, cursor: string) {
      try {
        const bytes = Buffer.from(cursor, 'base64url');
        // base64url decoding is lenient; only the exact text we issued is valid.
        if (bytes.toString('base64url') !== cursor) throw new Error('not canonical');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
          authTagLength: tagLength,
        })
          .setAAD(bindingBytes(binding))
          .setAuthTag(bytes.subarray(-tagLength));
        const text = Buffer.concat([
          decipher.update(bytes.subarray(nonceLength, -tagLength)),
          decipher.final(),
        ]);
        return JSON.parse(text.toString()) as Position;
      } catch {
        throw new AppError('INVALID_REQUEST', 'cursor: does not belong to this request');
      }
    },
  };
}

/** Loads the secret that seals cursors; the first node creates it on its first start. */
export async function loadCursorSecret(db: Db): Promise<Buffer> {
  const read = () => db<{ value: Buffer }[]>`SELECT value FROM secrets WHERE name = 'cursor'`;
  const [known] = await read();
  if (known !== undefined) return known.value;
  await db`INSERT INTO secrets (name, value) VALUES ('cursor', ${randomBytes(32)}) ON CONFLICT DO NOTHING`;
  const [made] = await read();
  return made!.value;
}
