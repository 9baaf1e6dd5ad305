import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Db, Tx } from '../db/database.ts';
import { newUuid } from '../lib/uuid.ts';
import { type KeyRing, newKey, type SealingKey, writeKeyFile } from './key-ring.ts';
import { CannotOpen, type Sealed, seal, unseal } from './seal.ts';

interface SealedRow {
  id: string;
  purpose: string;
  key_id: string;
  sealed: Buffer;
}

/** The id of a sealed value; other tables store it instead of the secret. */
export type SecretId = string & { readonly brand: 'SecretId' };

/** The result of a key rotation. */
export interface Rotation {
  readonly resealed: number;
  /** The key that now seals everything. */
  readonly keyId: string;
  /** The ids of the keys that are no longer needed. */
  readonly retired: readonly string[];
}

/** A shared lock held by every transaction that stores a secret, so that a rotation can wait for them. */
const storingLock = 0x7365616c; // "seal"
const storingPollMs = 50;

/**
 * Keeps secrets sealed in one table, so that a copy of the database is worthless without the key, and rotating keys is a
 * single loop. A secret opens only with the id and purpose it was stored with.
 */
export class Vault {
  #ring: KeyRing;
  /** Retired keys, in memory only: a row that was fetched before a rotation may be opened after it. */
  #retired: readonly SealingKey[] = [];
  #rotating: Promise<Rotation> | undefined;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  get keySource(): 'file' | 'environment' {
    return this.#ring.origin === 'environment' ? 'environment' : 'file';
  }

  get #sealingKey(): SealingKey {
    return this.#ring.keys[0]!;
  }

  #sealFor(id: string, purpose: string, text: string): Sealed {
    return seal(this.#sealingKey, `${id} ${purpose}`, text);
  }

  #open({ id, purpose, key_id, sealed }: SealedRow): string {
    const keys = [...this.#ring.keys, ...this.#retired];
    return unseal({ keys }, `${id} ${purpose}`, { keyId: key_id, bytes: sealed });
  }

  /** Stores a secret in the caller's transaction; `purpose` says what it is, such as `connection credentials`. */
  async store(tx: Tx, purpose: string, text: string): Promise<SecretId> {
    const id = newUuid() as SecretId;
    // Before sealing: the key used now must be kept until this transaction has ended.
    await tx`SELECT pg_advisory_xact_lock_shared(${storingLock})`;
    const { keyId, bytes } = this.#sealFor(id, purpose, text);
    await tx`INSERT INTO sealed_secrets (id, purpose, key_id, sealed) VALUES (${id}, ${purpose}, ${keyId}, ${bytes})`;
    return id;
  }

  /** Opens a secret; throws CannotOpen, with a sentence for the operator, if it cannot be read here. */
  async read(db: Db, id: SecretId, purpose: string): Promise<string> {
    const [row] = await db<SealedRow[]>`
      SELECT id, purpose, key_id, sealed FROM sealed_secrets WHERE id = ${id} AND purpose = ${purpose}`;
    if (row === undefined) throw new CannotOpen('A stored secret is missing');
    return this.#open(row);
  }

  async forget(db: Db, ids: readonly (SecretId | null)[]): Promise<void> {
    const present = ids.filter((id) => id !== null);
    if (present.length > 0) await db`DELETE FROM sealed_secrets WHERE id = ANY(${present}::uuid[])`;
  }

  /** The ids of the keys that stored secrets need and this server does not have. */
  async missingKeys(db: Db): Promise<string[]> {
    const own = this.#ring.keys.map(({ id }) => id);
    // Jumps from key to key in the index instead of reading all secrets, because every scrape of the metrics runs this query.
    const rows = await db<{ id: string }[]>`
      WITH RECURSIVE used (id) AS (
        (SELECT key_id FROM sealed_secrets ORDER BY key_id LIMIT 1)
        UNION ALL
        SELECT (SELECT s.key_id FROM sealed_secrets s WHERE s.key_id > used.id ORDER BY s.key_id LIMIT 1)
        FROM used WHERE used.id IS NOT NULL)
      SELECT id FROM used WHERE id <> ALL(${own}::text[]) ORDER BY id`;
    return rows.map(({ id }) => id);
  }

  /**
   * Reseals everything. Keys from a file: a new key is generated and saved before anything is sealed with it, and the old
   * ones are removed once nothing needs them; an interrupted rotation is finished with the key it had generated. Keys from
   * the environment: the first one is used. Concurrent calls share one rotation.
   */
  rotate(database: Database): Promise<Rotation> {
    this.#rotating ??= this.#rotate(database).finally(() => {
      this.#rotating = undefined;
    });
    return this.#rotating;
  }

  async #rotate(database: Database): Promise<Rotation> {
    const { origin } = this.#ring;
    if (origin !== 'environment' && this.#ring.keys.length === 1) {
      const keys = [newKey(), ...this.#ring.keys];
      // Saved first: nothing may be sealed with a key that a crash would lose.
      await writeKeyFile(origin.file, keys);
      this.#ring = { origin, keys };
    }
    await this.#awaitStoring(database);
    const resealed = await this.#resealAll(database.sql);
    const [current, ...previous] = this.#ring.keys;
    if (origin !== 'environment') {
      await writeKeyFile(origin.file, [current!]);
      this.#ring = { origin, keys: [current!] };
      this.#retired = [...this.#retired, ...previous];
    }
    return { resealed, keyId: current!.id, retired: previous.map(({ id }) => id) };
  }

  /** Waits for transactions that sealed something with a previous key and have not ended yet. */
  async #awaitStoring(database: Database): Promise<void> {
    // Polls instead of waiting for the lock, because storing transactions would have to queue behind it.
    const areDone = () =>
      database.transaction(async (tx) => {
        const [row] = await tx<{ done: boolean }[]>`SELECT pg_try_advisory_xact_lock(${storingLock}) AS done`;
        return row!.done;
      });
    while (!(await areDone())) await sleep(storingPollMs);
  }

  async #resealAll(db: Db): Promise<number> {
    let resealed = 0;
    for (;;) {
      // Two index ranges, because a condition with "<>" would also read everything that was resealed already.
      const rows = await db<SealedRow[]>`
        (SELECT id, purpose, key_id, sealed FROM sealed_secrets WHERE key_id < ${this.#sealingKey.id} LIMIT 100)
        UNION ALL
        (SELECT id, purpose, key_id, sealed FROM sealed_secrets WHERE key_id > ${this.#sealingKey.id} LIMIT 100)`;
      if (rows.length === 0) return resealed;
      for (const row of rows) {
        const { keyId, bytes } = this.#sealFor(row.id, row.purpose, this.#open(row));
        await db`
          UPDATE sealed_secrets SET key_id = ${keyId}, sealed = ${bytes}
          WHERE id = ${row.id} AND key_id = ${row.key_id}`;
        resealed += 1;
      }
    }
  }
}
