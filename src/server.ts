import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, createApp } from './app.ts';
import type { AppDeps } from './app-deps.ts';
import { inviteFirstAdmin } from './capabilities/dashboard-session/accounts/invitation.ts';
import { createEmbedder } from './capabilities/learnings/embedding/create-embedder.ts';
import { buildDashboardInBackground, hasDashboard } from './dashboard-build.ts';
import { ensureOperatorToken, recordServerAddress } from './data-folder.ts';
import type { Database } from './db/database.ts';
import { makeUsableFolder } from './db/embedded/usable-folder.ts';
import { createLog, type Logger } from './lib/log.ts';
import { runSchedules, type Schedule } from './lib/schedule.ts';
import { type InstallationDatabase, openInstallationDatabase } from './open-database.ts';
import { anyAddress, publicAddresses } from './outbound/address-guard.ts';
import { createOutbound } from './outbound/outbound.ts';
import { loadKeyRing } from './secrets/key-ring.ts';
import { Vault } from './secrets/vault.ts';
import type { Settings } from './settings.ts';
import { blamedSchedules, endAllLeases, executeOn } from './work/leases.ts';
import { startWatchdog } from './work/watchdog/watchdog.ts';
import { createWorkQueue } from './work/work-queue.ts';

export interface RunningServer {
  readonly url: string;
  readonly database: Database;
  readonly operatorToken: string;
  /** The source of the operator token: a file, or the variable that sets it. */
  readonly tokenSource: string;
  /** A new link for the first admin; undefined once there is an admin. The links of earlier starts stay valid. */
  readonly firstAdminLink: string | undefined;
  /** Parts that are still being prepared although the server is ready. */
  readonly preparing: readonly string[];
  /** Resolves with one sentence if the server can no longer run. */
  readonly failed: Promise<string>;
  /** Finishes requests in flight and stops everything; nothing acknowledged is lost. */
  stop(): Promise<void>;
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Logs missing keys as an error. Only operations that need the affected secrets fail; everything else works. */
async function warnAboutMissingKeys(vault: Vault, { sql }: Database, log: Logger): Promise<void> {
  const missing = await vault.missingKeys(sql);
  if (missing.length > 0)
    log.error({ keys: missing }, 'stored secrets need keys that are not in POSTIL_SECRET_KEY');
}

const endLeasesMs = 2_000;

/**
 * Ends the leases of a stopping node, so that its work is not counted as interrupted by a crash. Does not wait long for an
 * unavailable database.
 */
async function endOwnLeases({ sql }: Database): Promise<void> {
  const ended = endAllLeases(executeOn(sql)).catch(() => {});
  await Promise.race([ended, sleep(endLeasesMs, undefined, { ref: false })]);
}

/** The schedules to run: those that made nodes hang are left out for a while. Logs and metrics call a schedule a job. */
async function schedulesToRun(
  schedules: readonly Schedule[],
  { sql }: Database,
  log: Logger,
): Promise<Schedule[]> {
  const blamed = await blamedSchedules(executeOn(sql));
  for (const { name } of schedules)
    if (blamed.has(name)) log.error({ job: name }, 'job left out, since nodes hung in it twice');
  return schedules.filter(({ name }) => !blamed.has(name));
}

/**
 * Starts the whole service: the database (unless it is being opened already), HTTP and schedules. The demo passes a host of
 * its own.
 */
export async function startServer(
  settings: Settings,
  opening?: Promise<InstallationDatabase>,
  given: Pick<AppDeps, 'openHosts'> = {},
): Promise<RunningServer> {
  const log = createLog(settings.logLevel);
  const dataDirectory = path.resolve(settings.dataDirectory);
  await makeUsableFolder(dataDirectory);
  const installation = await (opening ?? openInstallationDatabase(settings, (message) => log.info(message)));
  const undo: (() => Promise<unknown>)[] = [() => watchdog.close(), installation.close];
  let stopping: Promise<void> | undefined;
  const undoAll = async () => {
    for (const step of undo.toReversed()) await step();
  };
  const watchdog = startWatchdog(installation.target);
  const stop = () => {
    watchdog.expectStop();
    stopping ??= undoAll();
    return stopping;
  };
  try {
    const embedder = createEmbedder(settings.embeddings);
    undo.push(() => embedder.close());
    const { token, source } = await ensureOperatorToken(dataDirectory, settings.operatorToken);
    const vault = new Vault(await loadKeyRing({ secretKeys: settings.secretKeys, dataDirectory }));
    await warnAboutMissingKeys(vault, installation.database, log);
    const outbound = createOutbound(anyAddress);
    undo.push(() => outbound.close());
    // No limit here: webhooks and reviews limit the calls of each organization.
    const customerOutbound = createOutbound(publicAddresses(settings.customerAddresses), undefined, null);
    undo.push(() => customerOutbound.close());
    const queue = createWorkQueue({
      target: installation.target,
      units: () => app.units,
      onError: (error, { unit, leftOut }) => log.warn({ err: error, unit, leftOut }, 'work failed'),
      onTakenOver: ({ name: unit, silentForSeconds }) =>
        log.warn({ unit, silentForSeconds }, 'a node is gone; its work is continued'),
    });
    let ownUrl = '';
    let hasDashboardFailed = false;
    const app: App = await createApp({
      database: installation.database,
      replicas: installation.replicas,
      clock: () => new Date(),
      log,
      embedder,
      operatorToken: token,
      vault,
      outbound,
      customerOutbound,
      queue,
      mirrorsFolder: path.join(dataDirectory, 'mirrors'),
      ownUrl: () => ownUrl,
      hasDashboardFailed: () => hasDashboardFailed,
      settings,
      ...given,
    });
    undo.push(app.close);
    await app.server.listen({ host: settings.host, port: settings.port });
    const bound = app.server.server.address() as AddressInfo;
    ownUrl = urlOf(settings.host, bound.port);
    undo.push(await recordServerAddress(dataDirectory, bound));
    undo.push(async () => {
      await queue.stop();
      await endOwnLeases(installation.database);
    });
    const [invitation] = await Promise.all([
      inviteFirstAdmin(installation, new Date()),
      queue.startWorkers(),
    ]);
    const stopBuilding = buildDashboardInBackground((reason) => {
      hasDashboardFailed = true;
      log.error({ reason }, 'dashboard not built');
    });
    undo.push(async () => stopBuilding());
    // Started last: all of them run at once, and must not compete with the rest of the start.
    const schedules = runSchedules(
      await schedulesToRun(app.schedules, installation.database, log),
      (job, error) => log.error({ err: error, job }, 'job failed'),
    );
    undo.push(schedules.stop);
    return {
      url: ownUrl,
      preparing: [
        ...(hasDashboard() ? [] : ['the dashboard, which takes some seconds']),
        ...(app.missingIndexes === 0 ? [] : [`${app.missingIndexes} indexes of the database`]),
      ],
      firstAdminLink: invitation && (settings.publicUrl ?? ownUrl) + invitation.path,
      database: installation.database,
      operatorToken: token,
      tokenSource: source,
      failed: installation.failed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
