import type { Db } from '../db/database.ts';
import { newUuid } from '../lib/uuid.ts';
import { type KeyRing, newKey, type SealingKey, writeKeyFile } from './key-ring.ts';
import { CannotOpen, type Sealed, seal, unseal } from './seal.ts';

interface SealedRow {
  id: string;
  purpose: string;
  key_id: string;
  sealed: Buffer;
}

/** The id of a sealed value; other tables keep it in place of the secret. */
export type SecretId = string & { readonly brand: 'SecretId' };

/**
 * Keeps secrets sealed in one table, so that a copy of the database is worthless without the key and a change of keys is
 * one loop. A secret opens only under the id and the purpose it was stored with.
 */
export class Vault {
  #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  get #sealingKey(): SealingKey {
    return this.#ring.keys[0]!;
  }

  #sealFor(id: string, purpose: string, text: string): Sealed {
    return seal(this.#sealingKey, `${id} ${purpose}`, text);
  }

  /** Stores a secret in the caller's transaction; `purpose` says what it is, such as `connection credentials`. */
  async store(db: Db, purpose: string, text: string): Promise<SecretId> {
    const id = newUuid() as SecretId;
    const { keyId, bytes } = this.#sealFor(id, purpose, text);
    await db`INSERT INTO sealed_secrets (id, purpose, key_id, sealed) VALUES (${id}, ${purpose}, ${keyId}, ${bytes})`;
    return id;
  }

  /** Opens a secret; throws CannotOpen, with a sentence for the operator, when it cannot be read here. */
  async read(db: Db, id: SecretId, purpose: string): Promise<string> {
    const [row] = await db<SealedRow[]>`
      SELECT id, purpose, key_id, sealed FROM sealed_secrets WHERE id = ${id} AND purpose = ${purpose}`;
    if (row === undefined) throw new CannotOpen('A stored secret is missing');
    return unseal(this.#ring, `${id} ${purpose}`, { keyId: row.key_id, bytes: row.sealed });
  }

  async forget(db: Db, ids: readonly (SecretId | null)[]): Promise<void> {
    const present = ids.filter((id) => id !== null);
    if (present.length > 0) await db`DELETE FROM sealed_secrets WHERE id = ANY(${present}::uuid[])`;
  }

  /** The keys that stored secrets need and this server does not have. */
  async missingKeys(db: Db): Promise<string[]> {
    const own = this.#ring.keys.map(({ id }) => id);
    const rows = await db<{ key_id: string }[]>`
      SELECT DISTINCT key_id FROM sealed_secrets WHERE key_id <> ALL(${own}::text[]) ORDER BY key_id`;
    return rows.map(({ key_id }) => key_id);
  }

  /**
   * Seals everything anew. Keys from a file: a new one is made and put first before anything is sealed with it, and the
   * former ones go when nothing needs them any more. Keys from the environment: the first one given is used.
   */
  async rotate(db: Db): Promise<{ resealed: number; keyId: string }> {
    const { origin } = this.#ring;
    if (origin !== 'environment') {
      this.#ring = { origin, keys: [newKey(), ...this.#ring.keys] };
      await writeKeyFile(origin.file, this.#ring.keys);
    }
    const resealed = await this.#resealAll(db);
    if (origin !== 'environment') {
      this.#ring = { origin, keys: [this.#sealingKey] };
      await writeKeyFile(origin.file, this.#ring.keys);
    }
    return { resealed, keyId: this.#sealingKey.id };
  }

  async #resealAll(db: Db): Promise<number> {
    let resealed = 0;
    for (;;) {
      const rows = await db<SealedRow[]>`
        SELECT id, purpose, key_id, sealed FROM sealed_secrets WHERE key_id <> ${this.#sealingKey.id} LIMIT 100`;
      if (rows.length === 0) return resealed;
      for (const row of rows) {
        const text = unseal(this.#ring, `${row.id} ${row.purpose}`, { keyId: row.key_id, bytes: row.sealed });
        const { keyId, bytes } = this.#sealFor(row.id, row.purpose, text);
        await db`
          UPDATE sealed_secrets SET key_id = ${keyId}, sealed = ${bytes}
          WHERE id = ${row.id} AND key_id = ${row.key_id}`;
        resealed += 1;
      }
    }
  }
}
