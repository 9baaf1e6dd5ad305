import { AppError } from '../../../lib/app-error.ts';
import type { Connection } from '../connection-record.ts';
import type { Host, HostCheck } from '../hosts/host.ts';
import { connectHost, type HostDeps, hostFault } from '../open-host.ts';
import { noteFailure, noteSuccess } from '../store.ts';
import { eachOnItsOwn, PartsUnread } from '../syncing/each-on-its-own.ts';
import { faultsOfMissing, invisible, wantedOrganizations } from '../syncing/wanted-organizations.ts';
import { webhookUrl } from '../webhook-url.ts';
import { inTime, type Patience } from './in-time.ts';

const maxSkewSeconds = 60;

/** Checks each organization; one whose answers cannot be read does not keep the others from being checked. */
async function checkOrganizations(
  host: Host,
  { id, wantedOrganizations: wanted, review }: Connection,
  publicUrl: string,
) {
  const { organizations, missing } = await wantedOrganizations(host, wanted);
  const found = new Map<string, readonly HostCheck[]>();
  const faults = await eachOnItsOwn(host, organizations, async (organization) => {
    const checks = await host.check(organization, webhookUrl(publicUrl, id));
    const needed = checks.filter(({ isForReviews }) => review === 'on' || !isForReviews);
    found.set(
      organization.id,
      needed.map(({ name, ok, message }) => ({ name, ok, message })),
    );
  });
  for (const { part, message } of faults)
    found.set(part.id, [{ name: `read ${part.name}`, ok: false, message }]);
  const unseen = missing.map((name) => ({ name: `read ${name}`, ok: false, message: invisible }));
  const unread = [...faults, ...faultsOfMissing(missing)];
  return {
    checks: [...organizations.flatMap((organization) => found.get(organization.id) ?? []), ...unseen],
    fault: unread.length === 0 ? undefined : new PartsUnread(unread, ({ name }) => name).message,
  };
}

function clockCheck(skewSeconds: number): HostCheck {
  const ok = skewSeconds <= maxSkewSeconds;
  const message = ok ? 'the clocks agree' : `the clocks differ by ${Math.round(skewSeconds)} s`;
  return { name: 'clock', ok, message };
}

/** Checks what the connection needs against the host: credentials, permissions, webhook and clock. */
export async function checkConnection(
  deps: HostDeps,
  connection: Connection,
  publicUrl: string,
  patience: Patience = {},
): Promise<HostCheck[]> {
  if (connection.isPaused)
    return [{ name: 'status', ok: false, message: 'the connection is paused: resume it to check the host' }];
  const { sql } = deps.database;
  const checks: HostCheck[] = [];
  const note = (fault: string | undefined) =>
    fault === undefined
      ? noteSuccess(sql, connection.id, deps.clock())
      : noteFailure(sql, connection.id, fault, deps.clock());
  try {
    await inTime(deps.outbound, connection.url, patience, async (outbound) => {
      // A client of its own: this one is aborted with the request, which must not affect calls of the shared client.
      const host = await connectHost({ ...deps, outbound, openHosts: new Map() }, connection);
      const account = await host.describeAccount();
      checks.push({ name: 'credentials', ok: true, message: `signed in as ${account.username}` });
      const organizations = await checkOrganizations(host, connection, publicUrl);
      checks.push(...organizations.checks);
      const skewMs = Math.abs((await host.readClock()).getTime() - deps.clock().getTime());
      checks.push(clockCheck(skewMs / 1000));
      await note(organizations.fault);
    });
  } catch (error) {
    const fault = hostFault(error);
    if (fault !== undefined) await note(fault);
    // An AppError here is the timeout of this check. It is not recorded as a fault of the host, which can be healthy but
    // have too many organizations to check in time.
    const message = fault ?? (error instanceof AppError ? error.message : undefined);
    if (message === undefined) throw error;
    checks.push({ name: checks.length === 0 ? 'credentials' : 'host', ok: false, message });
  }
  return checks;
}
