import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { isUuid, newUuid } from '../../../lib/uuid.ts';
import type { Vault } from '../../../secrets/vault.ts';
import { type Connection, type ConnectionId, secretPurposes } from '../connection-record.ts';
import type { RawDelivery } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-kinds.ts';
import { findConnection } from '../store.ts';
import { subjectOf } from '../subject.ts';
import { insertDelivery } from './delivery-store.ts';

export interface ReceiveDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** Called when a new delivery is durable, so that it is worked on soon. */
  onDelivery(): void;
}

const maxEventLength = 255;

async function secretsOf(
  { database: { sql }, vault }: ReceiveDeps,
  { webhookSecretId, formerWebhookSecret }: Connection,
  now: Date,
): Promise<string[]> {
  const ids = [
    webhookSecretId,
    ...(formerWebhookSecret !== null && formerWebhookSecret.validUntil > now ? [formerWebhookSecret.id] : []),
  ];
  return Promise.all(ids.map((id) => vault.read(sql, id, secretPurposes.webhook)));
}

/** The connection that a host calls; one that does not exist is not found. */
export async function findCalledConnection({ database }: ReceiveDeps, id: string): Promise<Connection> {
  const connection = isUuid(id) ? await findConnection(database.sql, id as ConnectionId) : undefined;
  if (connection === undefined) throw new AppError('NOT_FOUND', 'No such connection');
  return connection;
}

/** Takes a delivery in: verified over its raw bytes, stored once, and durable when this resolves. */
export async function receiveDelivery(
  deps: ReceiveDeps,
  connection: Connection,
  delivery: RawDelivery,
  now: Date,
): Promise<void> {
  const kind = hostKind(connection.provider);
  if (!(await kind.verify(delivery, await secretsOf(deps, connection, now))))
    throw new AppError('INVALID_SIGNATURE', 'The signature is missing or does not fit the body');
  const { deliveryId, event } = kind.identify(delivery);
  const hint = kind.hintOf(delivery);
  const isNew = await insertDelivery(deps.database.sql, connection.id, {
    id: newUuid(),
    deliveryId: deliveryId.slice(0, maxEventLength),
    event: event.slice(0, maxEventLength),
    receivedAt: now,
    subject: subjectOf(hint),
    ignoredBecause: hint.kind === 'ignored' ? hint.reason : null,
  });
  if (isNew) deps.onDelivery();
}
