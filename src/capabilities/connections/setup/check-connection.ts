import type { Connection } from '../connection-record.ts';
import type { HostCheck } from '../hosts/host.ts';
import { connectHost, type HostDeps, hostFault } from '../open-host.ts';
import { noteFailure, noteSuccess } from '../store.ts';
import { wantedOrganizations } from '../syncing/sync-connection.ts';
import { webhookUrl } from '../webhook-url.ts';

const maxSkewSeconds = 60;

/** Checks what the connection needs against the host: credentials, permissions, webhook and clock. */
export async function checkConnection(
  deps: HostDeps,
  connection: Connection,
  publicUrl: string,
): Promise<HostCheck[]> {
  const { sql } = deps.database;
  const checks: HostCheck[] = [];
  try {
    const host = await connectHost(deps, connection);
    const account = await host.describeAccount();
    checks.push({ name: 'credentials', ok: true, message: `signed in as ${account.username}` });
    const url = webhookUrl(publicUrl, connection.id);
    for (const organization of await wantedOrganizations(host, connection.wantedOrganizations))
      checks.push(...(await host.check(organization, url)));
    const skew = Math.abs((await host.readClock()).getTime() - deps.clock().getTime()) / 1000;
    checks.push({
      name: 'clock',
      ok: skew <= maxSkewSeconds,
      message: skew <= maxSkewSeconds ? 'the clocks agree' : `the clocks differ by ${Math.round(skew)} s`,
    });
    await noteSuccess(sql, connection.id, deps.clock());
  } catch (error) {
    const fault = hostFault(error);
    if (fault === undefined) throw error;
    await noteFailure(sql, connection.id, fault, deps.clock());
    checks.push({ name: checks.length === 0 ? 'credentials' : 'host', ok: false, message: fault });
  }
  return checks;
}
