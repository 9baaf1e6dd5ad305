import { deliveryIdOfBody } from '../delivery-id.ts';
import { isDigest, isSignedBy } from '../delivery-signature.ts';
import type { DeliveryFormat, DeliveryHint, RawDelivery } from '../host.ts';

interface Payload {
  readonly repository?: { readonly id?: unknown };
  readonly number?: unknown;
  readonly pull_request?: { readonly number?: unknown } | null;
  readonly issue?: { readonly number?: unknown; readonly pull_request?: object | null };
}

type Headers = RawDelivery['headers'];

function headerOf(headers: Headers, name: string): string | undefined {
  return headers[`x-gitea-${name}`] ?? headers[`x-forgejo-${name}`] ?? headers[`x-gogs-${name}`];
}

function signatureIn(headers: Headers): string | undefined {
  return headerOf(headers, 'signature') ?? headers['x-hub-signature-256']?.replace(/^sha256=/i, '');
}

function pullRequestNumber({ number, pull_request, issue }: Payload): unknown {
  if (pull_request != null) return pull_request.number ?? number;
  return issue?.pull_request == null ? undefined : issue.number;
}

function hintOf({ headers, body }: RawDelivery): DeliveryHint {
  const event = headerOf(headers, 'event') ?? '';
  if (event === 'repository') return { kind: 'inventory' };
  let payload: Payload;
  try {
    payload = JSON.parse(body.toString()) as Payload;
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
  hasSignature: (headers) => isDigest(signatureIn(headers)),
  async verify({ headers, body }, secrets) {
    const signature = signatureIn(headers);
    return isDigest(signature) && isSignedBy(body, signature, secrets);
  },
  identify: ({ headers, body }) => ({
    deliveryId: headerOf(headers, 'delivery') ?? deliveryIdOfBody(body),
    event: headerOf(headers, 'event-type') ?? headerOf(headers, 'event') ?? 'unknown',
  }),
  hintOf,
};
