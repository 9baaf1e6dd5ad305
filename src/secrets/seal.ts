import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { KeyRing, SealingKey } from './key-ring.ts';

/** A value that only the holder of the key can read, and only for the purpose it was sealed for. */
export interface Sealed {
  readonly keyId: string;
  /** Nonce, tag and ciphertext. */
  readonly bytes: Buffer;
}

/** Thrown if a sealed value cannot be opened: its key is missing, or it was modified or moved. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

const nonceBytes = 12;
const tagBytes = 16;

/** Seals a text with AES-256-GCM; `purpose` names the row and field it belongs to and must be the same to open it. */
export function seal({ id, bytes: key }: SealingKey, purpose: string, text: string): Sealed {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(purpose));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { keyId: id, bytes: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) };
}

/** Opens a value that was sealed for the same purpose; throws CannotOpen otherwise. */
export function unseal({ keys }: Pick<KeyRing, 'keys'>, purpose: string, { keyId, bytes }: Sealed): string {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined)
    throw new CannotOpen(
      `A stored secret needs the key ${keyId}, which this server does not have; add it to POSTIL_SECRET_KEY`,
    );
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
    return text.toString('utf8');
  } catch {
    throw new CannotOpen('A stored secret cannot be opened: it was modified or belongs elsewhere');
  }
}
