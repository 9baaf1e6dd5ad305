import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, spawnOn } from './cluster-folder.ts';
import { DataFolderError } from './embedded-errors.ts';
import { readPidFile } from './orphaned-postgres.ts';
import { describeSlowStart, lastErrorMessage } from './postgres-log.ts';
import { settingsArguments } from './postgres-settings.ts';

/**
 * Timeouts in milliseconds for a clean shutdown, then for an immediate one, which loses nothing but needs recovery on the next
 * start.
 */
const STOP_SIGNALS = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const;

/** Another PostgreSQL uses the folder, or did so a moment ago. */
export class ClusterBusy extends DataFolderError {}

/** The main process of PostgreSQL, as our child. */
export interface Postmaster {
  /** Resolves when the process has ended, with its last error message. */
  readonly exited: Promise<string>;
  /** Closes all connections, flushes everything to disk and waits for the process to end. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL and resolves when it accepts connections; throws a DataFolderError if it fails to start. */
export async function startPostmaster(
  cluster: Cluster,
  durable: boolean,
  log: (message: string) => void,
  onSpawned: () => void,
): Promise<Postmaster> {
  const settings = settingsArguments(durable, cluster.archive);
  const program = await spawnOn(cluster, cluster.binaries.postgres, settings, 'SIGINT');
  onSpawned();
  const { child } = program;
  child.unref(); // it must not keep this process running, since it is ended with it

  let hasEnded = false;
  const ended = program.ended.then(({ error }) => {
    hasEnded = true;
    return error;
  });
  const exited = ended.then((error) => error?.message ?? lastErrorMessage(cluster.logFile, program.logStart));

  const startedMs = performance.now();
  let reported = '';
  for (;;) {
    const pidFile = await readPidFile(cluster.folder);
    if (pidFile?.pid === child.pid && pidFile?.ready) break;
    if (hasEnded) throw startFailure(cluster, await exited);
    if (performance.now() - startedMs > 3_000) {
      const reason = await describeSlowStart(cluster.logFile, program.logStart);
      if (reason !== reported) log(reason);
      reported = reason;
    }
    await sleep(15);
  }

  return {
    exited,
    async stop() {
      child.ref();
      for (const [signal, timeoutMs] of STOP_SIGNALS) {
        if (hasEnded) return;
        child.kill(signal);
        const timer = new AbortController();
        await Promise.race([ended, sleep(timeoutMs, undefined, { signal: timer.signal })]);
        timer.abort();
      }
    },
  };
}

function startFailure({ directory }: Cluster, reason: string): DataFolderError {
  const message = `PostgreSQL cannot start on the data folder ${directory}: ${reason}`;
  const isBusy = /lock file "[^"]*" already exists|shared memory block|socket .* in use/i.test(reason);
  return isBusy ? new ClusterBusy(message) : new DataFolderError(message);
}
