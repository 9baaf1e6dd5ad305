import path from 'node:path';
import { createApp } from './app.ts';
import { inviteFirstAdmin } from './capabilities/dashboard-session/invite.ts';
import { createEmbedder } from './capabilities/learnings/embedding/create-embedder.ts';
import { buildDashboardInBackground } from './dashboard-build.ts';
import { ensureOperatorToken, noteServerAddress } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { runJobs } from './lib/job.ts';
import { createLog } from './lib/log.ts';
import { openInstallationDatabase } from './open-database.ts';
import type { Settings } from './settings.ts';

export interface RunningServer {
  readonly url: string;
  readonly database: Database;
  readonly operatorToken: string;
  /** Where the operator token lies: a file, or the variable that set it. */
  readonly tokenPlace: string;
  /** The one-time link of the first admin; none once there is one. */
  readonly firstAdminLink: string | undefined;
  /** Resolves with a sentence when the server can no longer work. */
  readonly failed: Promise<string>;
  /** Finishes what is in flight and ends everything; nothing acknowledged is lost. */
  stop(): Promise<void>;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Starts the whole service: database, HTTP and jobs. */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const log = createLog(settings.logLevel);
  const dataDirectory = path.resolve(settings.dataDirectory);
  const installation = await openInstallationDatabase(settings, (message) => log.info(message));
  const undo: (() => Promise<unknown>)[] = [installation.close];
  let stopping: Promise<void> | undefined;
  const undoAll = async () => {
    for (const step of undo.toReversed()) await step();
  };
  const stop = () => {
    stopping ??= undoAll();
    return stopping;
  };
  try {
    const embedder = createEmbedder(settings.embeddings);
    undo.push(() => embedder.close());
    const { token, place } = await ensureOperatorToken(dataDirectory, settings.operatorToken);
    const app = await createApp({
      database: installation.database,
      clock: () => new Date(),
      log,
      embedder,
      operatorToken: token,
      settings,
    });
    undo.push(app.close);
    await app.server.listen({ host: settings.host, port: settings.port });
    const { port } = app.server.server.address() as { port: number };
    const jobs = runJobs(app.jobs, (job, error) => log.error({ err: error, job }, 'job failed'));
    undo.push(jobs.stop);
    const url = urlOf(settings.host, port);
    undo.push(await noteServerAddress(dataDirectory, url));
    const stopBuilding = await buildDashboardInBackground((reason) =>
      log.error({ reason }, 'dashboard not built'),
    );
    undo.push(async () => stopBuilding());
    const invitation = await inviteFirstAdmin(installation, new Date());
    return {
      url,
      firstAdminLink: invitation && (settings.publicUrl ?? url) + invitation.path,
      database: installation.database,
      operatorToken: token,
      tokenPlace: place,
      failed: installation.failed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
