import { setTimeout as sleep } from 'node:timers/promises';
import { type Cluster, spawnOn } from './cluster-folder.ts';
import { DataFolderError } from './embedded-errors.ts';
import { lastComplaint } from './postgres-log.ts';
import { settingsArguments } from './postgres-settings.ts';
import { readPidFile } from './stale-postmaster.ts';

/** Patience with a clean end, then with an immediate one, which loses nothing but needs recovery at the next start. */
const STOP_SIGNALS = [
  ['SIGINT', 60_000],
  ['SIGQUIT', 10_000],
  ['SIGKILL', 10_000],
] as const;

/** Another PostgreSQL holds the folder, or held it a moment ago. */
export class ClusterBusy extends DataFolderError {}

/** The main process of PostgreSQL, as our child. */
export interface Postmaster {
  /** Resolves when the process has ended, with the last thing that it complained about. */
  readonly exited: Promise<string>;
  /** Ends all connections, writes everything down, and waits for the end. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL and resolves when it takes connections; throws a DataFolderError if it gives up. */
export async function startPostmaster(
  cluster: Cluster,
  durable: boolean,
  log: (message: string) => void,
): Promise<Postmaster> {
  const program = await spawnOn(cluster, cluster.binaries.postgres, settingsArguments(durable), 'SIGINT');
  const { child } = program;
  child.unref(); // it ends with us, so it must not keep us alive

  let hasEnded = false;
  const ended = program.ended.then(({ error }) => {
    hasEnded = true;
    return error;
  });
  const exited = ended.then((error) => error?.message ?? lastComplaint(cluster.logFile, program.logStart));

  const startedMs = performance.now();
  let told = false;
  for (;;) {
    const pidFile = await readPidFile(cluster.folder);
    if (pidFile?.pid === child.pid && pidFile?.ready) break;
    if (hasEnded) throw refusal(cluster, await exited);
    if (!told && performance.now() - startedMs > 3_000) {
      log('PostgreSQL is repairing its files after a crash; this may take a while.');
      told = true;
    }
    await sleep(15);
  }

  return {
    exited,
    async stop() {
      child.ref();
      for (const [signal, patienceMs] of STOP_SIGNALS) {
        if (hasEnded) return;
        child.kill(signal);
        const patience = new AbortController();
        await Promise.race([ended, sleep(patienceMs, undefined, { signal: patience.signal })]);
        patience.abort();
      }
    },
  };
}

function refusal({ directory }: Cluster, complaint: string): DataFolderError {
  const message = `PostgreSQL does not start on the data folder ${directory}: ${complaint}`;
  const isBusy = /lock file "[^"]*" already exists|shared memory block|socket .* in use/i.test(complaint);
  return isBusy ? new ClusterBusy(message) : new DataFolderError(message);
}
