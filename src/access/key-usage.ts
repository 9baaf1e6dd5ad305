import type { Db } from '../db/database.ts';

const flushIntervalMs = 10_000;

/** Records when keys were used and writes it to the database periodically, so that no request waits for a write. */
export interface KeyUsage {
  record(keyId: string, at: Date): void;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts recording; a crash loses at most the last few seconds of "last used". */
export function recordKeyUsage(db: Db, onError: (error: unknown) => void): KeyUsage {
  let pending = new Map<string, Date>();

  async function flush(): Promise<void> {
    if (pending.size === 0) return;
    const batch = pending;
    pending = new Map();
    try {
      await db`
        UPDATE api_keys k SET last_used_at = u.at
        FROM unnest(${[...batch.keys()]}::uuid[], ${[...batch.values()].map((at) => at.toISOString())}::timestamptz[]) AS u (id, at)
        WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`;
    } catch (error) {
      onError(error);
    }
  }

  const timer = setInterval(flush, flushIntervalMs);
  timer.unref();
  return {
    record: (keyId, at) => pending.set(keyId, at),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
