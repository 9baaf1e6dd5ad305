import type { Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { CannotOpen } from '../../../secrets/seal.ts';
import type { SecretId, Vault } from '../../../secrets/vault.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { HostCredentials, HostOrganization } from '../hosts/host.ts';
import { isWanted } from '../syncing/wanted-organizations.ts';

/** A connection as it is about to be stored. */
interface Candidate extends Pick<Connection, 'id' | 'provider' | 'url' | 'instance' | 'account'> {
  readonly credentials: HostCredentials;
  /** What it serves at this moment. */
  readonly organizations: readonly HostOrganization[];
}

interface SameAccountRow {
  id: ConnectionId;
  wanted_organizations: string[] | null;
  credentials_id: SecretId;
  served: string[];
}

/** The credentials as stored; undefined if the key that sealed them is gone. */
function openCredentials(
  tx: Tx,
  vault: Vault,
  { credentials_id }: SameAccountRow,
): Promise<string | undefined> {
  return vault.read(tx, credentials_id, secretPurposes.credentials).catch((error: unknown) => {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  });
}

/**
 * Refuses a connection that would serve an organization which the same account already serves through another one: its
 * deliveries would be processed, and its reviews posted, twice. A host stays the same under every name of an instance. Until the transaction ends, no other connection of the account
 * can be stored.
 */
export async function refuseOverlap(tx: Tx, vault: Vault, candidate: Candidate): Promise<void> {
  const { id, provider, url, account, organizations, credentials } = candidate;
  const instanceId = candidate.instance?.id ?? null;
  const lock = `connections of ${account.id} at ${provider}`;
  await tx`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
  const others = await tx<SameAccountRow[]>`
    SELECT c.id, c.wanted_organizations, c.credentials_id, ARRAY(
      SELECT o.provider_organization_id FROM connection_organizations s JOIN organizations o ON o.id = s.organization_id
      WHERE s.connection_id = c.id) AS served
    FROM connections c
    WHERE c.provider = ${provider} AND (c.url = ${url} OR c.instance_id IS NOT DISTINCT FROM ${instanceId}::uuid)
      AND c.account_id = ${account.id} AND c.id <> ${id}`;
  for (const other of others) {
    const { wanted_organizations: wanted } = other;
    const shared = organizations.filter((organization) =>
      wanted === null ? other.served.includes(organization.id) : isWanted(organization, wanted),
    );
    // One that serves whatever the account sees may not have been synced yet.
    const isSame = async () => (await openCredentials(tx, vault, other)) === JSON.stringify(credentials);
    if (shared.length === 0 && !(wanted === null && (await isSame()))) continue;
    const names = shared.map(({ name }) => name).join(', ');
    throw new AppError(
      'CONFLICT',
      `${account.username} is already connected${names === '' ? '' : ` for ${names}`} by connection ${other.id}; change that one, or name other organizations`,
    );
  }
}
