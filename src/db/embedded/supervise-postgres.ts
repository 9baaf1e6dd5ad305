import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import type { WalArchive } from './wal-archive.ts';

const restartPauseMs = 1_000;

/** An embedded PostgreSQL that is restarted if it dies. */
export interface SupervisedPostgres {
  readonly target: EmbeddedPostgres['target'];
  /** Resolves with one sentence if it ended and could not be restarted. */
  readonly failed: Promise<string>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL on the data folder and restarts it whenever it ends unexpectedly. */
export async function superviseEmbeddedPostgres(
  { directory, archive }: { readonly directory: string; readonly archive: WalArchive | undefined },
  log: (message: string) => void,
  onSpawned: () => void,
): Promise<SupervisedPostgres> {
  let current = await startEmbeddedPostgres({ directory, archive, log, onSpawned });
  const { target } = current;
  let isStopping = false;

  async function watch(): Promise<string> {
    for (;;) {
      const reason = await current.exited;
      if (isStopping || reason === undefined) return new Promise(() => {});
      log(`${reason.replace(/\.$/, '')}; restarting it`);
      await setTimeout(restartPauseMs);
      try {
        await current.stop();
        current = await startEmbeddedPostgres({ directory, archive, log });
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      if (!isDeepStrictEqual(current.target, target))
        return 'PostgreSQL was restarted at another location; restart Postil';
    }
  }

  const failed = watch();
  async function stop(): Promise<void> {
    isStopping = true;
    await current.stop();
  }
  return { target, failed, stop };
}
