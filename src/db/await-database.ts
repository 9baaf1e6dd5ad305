import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, StandbyRefused, TlsNotOffered, unavailableReason } from './database.ts';

const pauseMs = 1_000;
/** The log message is repeated, so that the log of a slow start shows that it still waits. */
const defaultRepeatMs = 60_000;

/** Whether a database that could not be reached may become available without a change of the settings. */
function mayComeBack(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof StandbyRefused || cause instanceof TlsNotOffered) return false;
  return ['unreachable', 'overloaded'].includes(unavailableReason(error) ?? '');
}

/**
 * Waits until the database is available: it may be restarting, or starting at the same time. An error that waiting does not
 * fix, such as a wrong password, is thrown at once. When the time is up, the last error is thrown.
 */
export async function awaitDatabase(
  { sql }: Pick<Database, 'sql'>,
  maxMs: number,
  log: (message: string) => void,
  repeatMs = defaultRepeatMs,
): Promise<void> {
  const endMs = performance.now() + maxMs;
  let said = { message: '', atMs: 0 };
  for (;;) {
    try {
      await sql`select 1`;
      if (said.message !== '') log('The database is there.');
      return;
    } catch (error) {
      const nowMs = performance.now();
      if (!mayComeBack(error) || nowMs + pauseMs > endMs) throw error;
      const { message } = error as Error;
      if (message !== said.message || nowMs - said.atMs >= repeatMs) {
        log(`Waiting for the database, for ${Math.round(maxMs / 1000)} s at most: ${message}`);
        said = { message, atMs: nowMs };
      }
    }
    await sleep(pauseMs);
  }
}
