import { AppError } from '../../../lib/app-error.ts';
import { newUuid } from '../../../lib/uuid.ts';
import type { RawDelivery } from '../hosts/host.ts';
import { hostKind } from '../hosts/host-providers.ts';
import { subjectOf } from '../subject.ts';
import type { CalledConnection, CalledConnections } from './called-connections.ts';
import type { DeliveryOutcome } from './delivery-store.ts';
import type { DeliveryWriter } from './delivery-writer.ts';

export interface ReceiveDeps {
  readonly calledConnections: CalledConnections;
  readonly writeDelivery: DeliveryWriter;
  /** Called when a new delivery is durable, so that it is processed soon. */
  onDelivery(): void;
}

const maxEventLength = 255;

/** The outcome of a delivery signed with a secret of the connection, or undefined if no secret matches. */
async function tryReceive(
  { writeDelivery }: ReceiveDeps,
  connection: CalledConnection,
  delivery: RawDelivery,
  now: Date,
): Promise<DeliveryOutcome | undefined> {
  const kind = hostKind(connection.provider);
  // Every secret is tried, so that timing does not reveal which one matches.
  const matches = await Promise.all(connection.secrets.map(({ text }) => kind.verify(delivery, [text])));
  const secret = connection.secrets.find((_, index) => matches[index]);
  if (secret === undefined) return undefined;
  const { deliveryId, event } = kind.identify(delivery);
  const hint = kind.hintOf(delivery);
  return writeDelivery({
    id: newUuid(),
    connectionId: connection.id,
    secretId: secret.id,
    deliveryId: deliveryId.slice(0, maxEventLength),
    event: event.slice(0, maxEventLength),
    receivedAt: now,
    subject: subjectOf(hint),
    ignoredBecause: hint.kind === 'ignored' ? hint.reason : null,
  });
}

const notGenuine = () =>
  new AppError('INVALID_SIGNATURE', 'The signature is missing or does not match the body');

/** Throws for a delivery without a signature: its body need not be read. */
export function requireSignature({ provider }: CalledConnection, headers: RawDelivery['headers']): void {
  if (!hostKind(provider).hasSignature(headers)) throw notGenuine();
}

/** Receives a delivery: verified over its raw bytes, stored once, and durable when this resolves. */
export async function receiveDelivery(
  deps: ReceiveDeps,
  connection: CalledConnection,
  delivery: RawDelivery,
  now: Date,
): Promise<void> {
  let outcome = await tryReceive(deps, connection, delivery, now);
  // The secret may have changed since the connection was read.
  if (outcome === undefined || outcome === 'outdated')
    outcome = await tryReceive(deps, await deps.calledConnections.refresh(connection.id), delivery, now);
  if (outcome === undefined || outcome === 'outdated') throw notGenuine();
  if (outcome === 'stored') deps.onDelivery();
}
