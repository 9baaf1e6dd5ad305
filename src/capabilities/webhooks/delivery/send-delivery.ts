import { Webhook as Signer } from 'standardwebhooks';
import type { Database } from '../../../db/database.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { CannotOpen } from '../../../secrets/seal.ts';
import type { Vault } from '../../../secrets/vault.ts';
import { secretPurpose } from '../webhook-record.ts';
import { findFormerSecrets } from '../webhook-secret.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

export interface SendDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** For connections to addresses that organizations configure. */
  readonly customerOutbound: Outbound;
  readonly clock: () => Date;
}

/** The outcome of one attempt. */
export interface AttemptResult {
  readonly response: { readonly status: number; readonly body: string } | null;
  /** The reason for the failure; null if it succeeded. */
  readonly error: string | null;
  /** Whether the receiver asked not to be called again (410 Gone). */
  readonly isGone: boolean;
}

const timeoutMs = 15_000;
/** How much of the response is stored, to be shown. */
const keptAnswerBytes = 1024;

/** The event as a CloudEvent, in its JSON format. */
export function eventBody(delivery: ClaimedDelivery): string {
  const envelope = JSON.stringify({
    specversion: '1.0',
    id: delivery.id,
    source: `/organizations/${delivery.organizationId}`,
    type: delivery.type,
    subject: delivery.subject,
    time: delivery.createdAt.toISOString(),
    provider: delivery.organization.provider,
    orgid: delivery.organization.orgId,
    datacontenttype: 'application/json',
  });
  // Concatenated as text, so that the signature covers the data exactly as stored.
  return `${envelope.slice(0, -1)},"data":${delivery.data}}`;
}

async function signaturesOf(
  { database, vault }: SendDeps,
  delivery: ClaimedDelivery,
  now: Date,
  body: string,
): Promise<string> {
  // If the secret was replaced after the delivery was claimed, it is also among the former ones.
  const ids = new Set([delivery.secretId, ...(await findFormerSecrets(database.sql, delivery, now))]);
  const secrets = await Promise.all([...ids].map((id) => vault.read(database.sql, id, secretPurpose)));
  return secrets.map((secret) => new Signer(secret).sign(delivery.id, now, body)).join(' ');
}

/** The beginning of a response; one that breaks off or never ends still counts as a response. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size >= keptAnswerBytes) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
  }
  const text = Buffer.concat(parts).subarray(0, keptAnswerBytes).toString('utf8');
  return redactCredentials(text.replaceAll('\0', '').toWellFormed());
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `the receiver answered with a redirect (${status}), which is not followed`;
  return `the receiver answered ${status}`;
}

/** Sends a delivery once. A failure of the receiver is a result, not an exception. */
export async function sendDelivery(
  deps: SendDeps,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const now = deps.clock();
  const body = eventBody(delivery);
  try {
    const answer = await deps.customerOutbound.open({
      method: 'POST',
      url: new URL(delivery.url),
      headers: {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'webhook-id': delivery.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': await signaturesOf(deps, delivery, now, body),
      },
      body,
      timeoutMs,
      idleTimeoutMs: timeoutMs,
      signal,
    });
    const response = { status: answer.status, body: await readBeginning(answer.body) };
    return { response, error: describeStatus(answer.status), isGone: answer.status === 410 };
  } catch (error) {
    if (!(error instanceof OutboundError) && !(error instanceof CannotOpen)) throw error;
    return { response: null, error: error.message, isGone: false };
  }
}
