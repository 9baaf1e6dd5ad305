import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { SecretId, Vault } from '../../../secrets/vault.ts';
import { type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { HostProvider } from '../hosts/host.ts';
import { findConnection, findFormerSecrets } from '../store.ts';

/** The parts of a connection that are needed to verify a delivery. */
export interface CalledConnection {
  readonly id: ConnectionId;
  readonly provider: HostProvider;
  readonly secrets: readonly { readonly id: SecretId; readonly text: string }[];
}

export interface CalledConnections {
  /** Returns the cached connection. It can be stale, which is noticed when the delivery is stored. */
  find(id: string): Promise<CalledConnection>;
  /** Reads the connection from the database again, bypassing the cache. */
  refresh(id: string): Promise<CalledConnection>;
}

const maxCached = 1000;
const maxCacheAgeMs = 60_000;

/**
 * Keeps connections and their opened webhook secrets in memory for a short time, because hosts send deliveries in bursts. The
 * cache never decides anything by itself: storing a delivery checks that the secret is still valid, and a signature that does
 * not match is checked once more against the current state of the database.
 */
export function createCalledConnections(
  database: Database,
  vault: Vault,
  clock: () => Date,
): CalledConnections {
  const cached = new Map<string, { readonly connection: CalledConnection; readonly readAt: number }>();

  async function refresh(id: string): Promise<CalledConnection> {
    cached.delete(id);
    const found = isUuid(id) ? await findConnection(database.sql, id as ConnectionId) : undefined;
    if (found === undefined) throw new AppError('NOT_FOUND', 'No such connection');
    const ids = [found.webhookSecretId, ...(await findFormerSecrets(database.sql, found.id, clock()))];
    const secrets = await Promise.all(
      ids.map(async (secretId) => ({
        id: secretId,
        text: await vault.read(database.sql, secretId, secretPurposes.webhook),
      })),
    );
    const connection = { id: found.id, provider: found.provider, secrets };
    if (cached.size >= maxCached) cached.clear();
    cached.set(id, { connection, readAt: performance.now() });
    return connection;
  }

  return {
    refresh,
    async find(id) {
      const entry = cached.get(id);
      if (entry !== undefined && performance.now() - entry.readAt < maxCacheAgeMs) return entry.connection;
      return refresh(id);
    },
  };
}
