import type { Database } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { ToolServer } from '../../../models/tools/tool-server.ts';
import { CannotOpen } from '../../../secrets/seal.ts';
import type { Vault } from '../../../secrets/vault.ts';
import { findServers, readHeaders } from '../settings/mcp-store.ts';

/** The organization's MCP servers among those that a configuration names; `failures` says why others cannot be used. */
export async function findToolServers(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  organizationId: OrganizationId,
  wanted: readonly string[],
): Promise<{ servers: ToolServer[]; failures: string[] }> {
  if (wanted.length === 0) return { servers: [], failures: [] };
  const known = await findServers(database.sql, organizationId);
  const servers: ToolServer[] = [];
  const failures = wanted
    .filter((name) => !known.some((server) => server.name === name))
    .map((name) => `the organization has no MCP server ${name}`);
  for (const server of known.filter(({ name }) => wanted.includes(name))) {
    const { name, url, tools } = server;
    try {
      const headers = await readHeaders(database.sql, vault, server);
      servers.push({ name, url, headers, tools: tools ?? undefined });
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      failures.push(`the headers of the MCP server ${name} cannot be opened`);
    }
  }
  return { servers, failures };
}
