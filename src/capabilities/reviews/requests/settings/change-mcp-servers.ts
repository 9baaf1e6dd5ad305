import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { Database, Db } from '../../../../db/database.ts';
import { AppError } from '../../../../lib/app-error.ts';
import type { ToolServer } from '../../../../models/tools/tool-server.ts';
import type { AddressGuard } from '../../../../outbound/address-guard.ts';
import { isRefused } from '../../../../outbound/is-refused.ts';
import { CannotOpen } from '../../../../secrets/seal.ts';
import type { Vault } from '../../../../secrets/vault.ts';
import { type AuditChange, recordChanges } from '../../../audit-log/record-changes.ts';
import { lockOrganization } from '../../../organizations/lock-organization.ts';
import {
  findServers,
  type McpServer,
  readHeaders,
  replaceServers,
  type StoredServer,
} from '../../settings/mcp-store.ts';

export interface McpSettingsDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** Decides which addresses organizations may configure. */
  readonly customerAddresses: AddressGuard;
}

/** A server as an admin sets it. A header without a value keeps the stored one. */
export interface McpServerInput extends Omit<ToolServer, 'headers'> {
  readonly headers: Readonly<Record<string, string | null>>;
}

/** The MCP servers of the organization, without the values of their headers. */
export async function listMcpServers(
  { database }: Pick<McpSettingsDeps, 'database'>,
  { scope }: Pick<CallerContext, 'scope'>,
): Promise<readonly McpServer[]> {
  return findServers(database.sql, onlyOrganization(scope).organization.id);
}

/** Replaces the MCP servers of the organization by those given. */
export async function changeMcpServers(
  { database, vault, customerAddresses }: McpSettingsDeps,
  context: CallerContext,
  servers: readonly McpServerInput[],
): Promise<readonly McpServer[]> {
  const { organization } = onlyOrganization(context.scope);
  await checkAddresses(servers, customerAddresses);
  await database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    const before = await findServers(tx, organization.id);
    const after = await Promise.all(
      servers.map((server, index) => completeHeaders(tx, vault, server, index, before)),
    );
    const changes = auditChanges(before, servers).map((change) => ({
      ...change,
      organizationId: organization.id,
      resourceType: 'mcp_server' as const,
    }));
    const order = (list: readonly { name: string }[]) => JSON.stringify(list.map(({ name }) => name));
    if (changes.length === 0 && order(before) === order(after))
      return context.confirmRights([organization.id]);
    await replaceServers(tx, vault, organization.id, before, after);
    if (changes.length === 0) await context.confirmRights([organization.id]);
    await recordChanges(tx, context, changes);
  });
  return findServers(database.sql, organization.id);
}

async function checkAddresses(servers: readonly McpServerInput[], guard: AddressGuard): Promise<void> {
  const refused = await Promise.all(servers.map(({ url }) => isRefused(new URL(url), guard)));
  const faults = refused.flatMap((isInternal, index) =>
    isInternal ? [`[${index}].url: is an internal address, which the operator does not allow`] : [],
  );
  if (faults.length > 0) throw new AppError('INVALID_REQUEST', faults);
}

/**
 * Fills in stored values that are to be kept. They are kept only if the URL stays the same: otherwise people who may change
 * settings could have a secret that they do not know sent to a server of theirs.
 */
async function completeHeaders(
  db: Db,
  vault: Vault,
  { headers, ...server }: McpServerInput,
  index: number,
  before: readonly StoredServer[],
): Promise<ToolServer> {
  const given = Object.entries(headers);
  const kept = given.filter(([, value]) => value === null).map(([name]) => name);
  if (kept.length === 0) return { ...server, headers: headers as Record<string, string> };
  const known = before.find(({ name, url }) => name === server.name && isSameOrigin(url, server.url));
  const stored = known === undefined ? {} : await openHeaders(db, vault, known);
  const faults = kept
    .filter((name) => stored[name] === undefined)
    .map((name) => `[${index}].headers.${name}: no value is stored for this server and address; send one`);
  if (faults.length > 0) throw new AppError('INVALID_REQUEST', faults);
  return {
    ...server,
    headers: Object.fromEntries(given.map(([name, value]) => [name, value ?? stored[name]!])),
  };
}

async function openHeaders(db: Db, vault: Vault, server: StoredServer): Promise<Record<string, string>> {
  try {
    return await readHeaders(db, vault, server);
  } catch (error) {
    // If its encryption key is missing, the value is lost and must be sent again.
    if (error instanceof CannotOpen) return {};
    throw error;
  }
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin;
}

type ServerChange = Omit<AuditChange, 'organizationId' | 'resourceType'>;

/** One entry for each server that was added, changed or removed. */
function auditChanges(before: readonly StoredServer[], after: readonly McpServerInput[]): ServerChange[] {
  const entry = (verb: 'created' | 'updated' | 'deleted', name: string, metadata: object): ServerChange => ({
    action: `mcp_server.${verb}`,
    resourceId: name,
    resourceSummary: name,
    metadata: { ...metadata },
  });
  const removed = before.filter(({ name }) => !after.some((server) => server.name === name));
  return [
    ...removed.map(({ name, url }) => entry('deleted', name, { url })),
    ...after.flatMap((server) => {
      const known = before.find(({ name }) => name === server.name);
      const { name, url } = server;
      if (known === undefined) return [entry('created', name, { url, headers: Object.keys(server.headers) })];
      const changed = changedFields(known, server);
      return changed.length === 0 ? [] : [entry('updated', name, { url, changed })];
    }),
  ];
}

function changedFields(before: StoredServer, after: McpServerInput): string[] {
  const values = Object.values(after.headers);
  const isNewHeader = values.some((value) => value !== null) || values.length !== before.headerNames.length;
  return [
    ...(before.url === after.url ? [] : ['url']),
    ...(isNewHeader ? ['headers'] : []),
    ...(JSON.stringify(before.tools) === JSON.stringify(after.tools ?? null) ? [] : ['tools']),
  ];
}
