import type { Database } from '../../db/database.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { CannotOpen } from '../../secrets/seal.ts';
import type { SecretId, Vault } from '../../secrets/vault.ts';
import { NonRetryable, RetryLater } from '../../work/unit-of-work.ts';
import { type Connection, type ConnectionId, secretPurposes } from './connection-record.ts';
import { type Host, type HostCredentials, HostRefused, HostUnavailable } from './hosts/host.ts';
import { hostKind } from './hosts/host-providers.ts';
import { findConnection, noteFailure, noteSuccess } from './store.ts';
import { writeBudget } from './write-budget.ts';

export interface HostDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly clock: () => Date;
  /** Hosts in use, by their credentials: an app keeps its tokens, and rate limits apply across all calls of a connection. */
  readonly openHosts: Map<SecretId, Host>;
}

const pausedRetrySeconds = 60;
const maxOpenHosts = 1000;

/** The connection is paused: its host is not called, and pending work keeps waiting. */
export class ConnectionPaused extends RetryLater {
  constructor() {
    super('the connection is paused', pausedRetrySeconds);
  }
}

/** The stored credentials of a connection. */
export async function readCredentials(
  { database, vault }: Pick<HostDeps, 'database' | 'vault'>,
  { credentialsId }: Pick<Connection, 'credentialsId'>,
): Promise<HostCredentials> {
  return JSON.parse(await vault.read(database.sql, credentialsId, secretPurposes.credentials));
}

/** The host of a connection, with its stored credentials. */
export async function connectHost(deps: HostDeps, connection: Connection): Promise<Host> {
  const { database, outbound, openHosts } = deps;
  const { id, provider, url, credentialsId } = connection;
  const open = openHosts.get(credentialsId);
  if (open !== undefined) return open;
  const credentials = await readCredentials(deps, connection);
  const kind = hostKind(provider);
  const writes = writeBudget(database, id, kind.writeLimits);
  const host = await kind.connect({ url, credentials, outbound, writes });
  if (openHosts.size >= maxOpenHosts) openHosts.clear();
  openHosts.set(credentialsId, host);
  return host;
}

/** The reason for a failed call; undefined if the host is not at fault. */
export function hostFault(error: unknown): string | undefined {
  const isHostFault =
    error instanceof HostRefused ||
    error instanceof HostUnavailable ||
    error instanceof OutboundError ||
    error instanceof CannotOpen;
  return isHostFault ? error.message : undefined;
}

/**
 * Runs a unit of work with the host of a connection and records the outcome, so that a connection shows as failing from the
 * first refused call and as ready again from the first successful one. A paused connection is left alone until later.
 */
export async function withHost<Result>(
  deps: HostDeps,
  id: ConnectionId,
  work: (host: Host, connection: Connection) => Promise<Result>,
): Promise<Result> {
  const { sql } = deps.database;
  const connection = await findConnection(sql, id);
  if (connection === undefined) throw new NonRetryable('the connection was removed');
  if (connection.isPaused) throw new ConnectionPaused();
  try {
    const result = await work(await connectHost(deps, connection), connection);
    await noteSuccess(sql, id, deps.clock());
    return result;
  } catch (error) {
    const fault = hostFault(error);
    if (fault !== undefined) await noteFailure(sql, id, fault, deps.clock());
    if (error instanceof HostUnavailable && error.retryAfterSeconds !== null)
      throw new RetryLater(error.message, error.retryAfterSeconds, { cause: error });
    throw error;
  }
}
