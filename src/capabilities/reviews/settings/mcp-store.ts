import type { Db, Tx } from '../../../db/database.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import type { ToolServer } from '../../../models/tools/tool-server.ts';
import type { SecretId, Vault } from '../../../secrets/vault.ts';

/** The context that header values are sealed for; all values of a server are sealed together. */
const purpose = 'headers of an MCP server';

/** An MCP server as it is stored: everything but the values of its headers. */
export interface McpServer {
  readonly name: string;
  readonly url: string;
  readonly headerNames: readonly string[];
  /** Null: the tools that the server declares as read-only. */
  readonly tools: readonly string[] | null;
}

export interface StoredServer extends McpServer {
  readonly headersId: SecretId | null;
}

/** The servers of an organization, in the order in which they were set. */
export async function findServers(db: Db, organizationId: OrganizationId): Promise<StoredServer[]> {
  return db<StoredServer[]>`
    SELECT name, url, header_names AS "headerNames", headers_id AS "headersId", tools FROM mcp_servers
    WHERE organization_id = ${organizationId} ORDER BY position`;
}

/** The values of the headers; throws CannotOpen where the key is missing. */
export async function readHeaders(
  db: Db,
  vault: Vault,
  { headersId }: StoredServer,
): Promise<Record<string, string>> {
  return headersId === null ? {} : JSON.parse(await vault.read(db, headersId, purpose));
}

/** Replaces all servers of an organization. */
export async function replaceServers(
  tx: Tx,
  vault: Vault,
  organizationId: OrganizationId,
  before: readonly StoredServer[],
  after: readonly ToolServer[],
): Promise<void> {
  await tx`DELETE FROM mcp_servers WHERE organization_id = ${organizationId}`;
  await vault.forget(
    tx,
    before.map(({ headersId }) => headersId),
  );
  for (const [position, { name, url, headers, tools }] of after.entries()) {
    const names = Object.keys(headers);
    const headersId = names.length === 0 ? null : await vault.store(tx, purpose, JSON.stringify(headers));
    await tx`
      INSERT INTO mcp_servers (organization_id, name, position, url, header_names, headers_id, tools)
      VALUES (${organizationId}, ${name}, ${position}, ${url}, ${names}::text[], ${headersId},
        ${tools === undefined ? null : [...tools]}::text[])`;
  }
}
