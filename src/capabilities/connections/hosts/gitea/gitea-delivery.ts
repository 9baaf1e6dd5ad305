import { deliveryIdOfBody } from '../delivery-id.ts';
import { isSignedBy } from '../delivery-signature.ts';
import type { DeliveryFormat, DeliveryHint, RawDelivery } from '../host.ts';

interface Payload {
  readonly repository?: { readonly id?: unknown };
  readonly number?: unknown;
  readonly pull_request?: { readonly number?: unknown } | null;
  readonly issue?: { readonly number?: unknown; readonly pull_request?: object | null };
}

function headerOf({ headers }: RawDelivery, name: string): string | undefined {
  return headers[`x-gitea-${name}`] ?? headers[`x-forgejo-${name}`] ?? headers[`x-gogs-${name}`];
}

function signatureOf(delivery: RawDelivery): string | undefined {
  return headerOf(delivery, 'signature') ?? delivery.headers['x-hub-signature-256']?.replace(/^sha256=/i, '');
}

function pullRequestNumber({ number, pull_request, issue }: Payload): unknown {
  if (pull_request != null) return pull_request.number ?? number;
  return issue?.pull_request == null ? undefined : issue.number;
}

function hintOf(delivery: RawDelivery): DeliveryHint {
  const event = headerOf(delivery, 'event') ?? '';
  if (event === 'repository') return { kind: 'inventory' };
  let payload: Payload;
  try {
    payload = JSON.parse(delivery.body.toString()) as Payload;
  } catch {
    return { kind: 'ignored', reason: 'the body is not JSON' };
  }
  const number = pullRequestNumber(payload ?? {});
  const repositoryId = payload?.repository?.id;
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(repositoryId))
    return { kind: 'ignored', reason: 'not about a pull request' };
  return { kind: 'pull_request', repositoryId: String(repositoryId), number: Number(number) };
}

/** Webhook deliveries from Gitea and Forgejo. */
export const giteaDelivery: DeliveryFormat = {
  async verify(delivery, secrets) {
    const signature = signatureOf(delivery);
    return signature !== undefined && isSignedBy(delivery.body, signature, secrets);
  },
  identify: (delivery) => ({
    deliveryId: headerOf(delivery, 'delivery') ?? deliveryIdOfBody(delivery.body),
    event: headerOf(delivery, 'event-type') ?? headerOf(delivery, 'event') ?? 'unknown',
  }),
  hintOf,
};
