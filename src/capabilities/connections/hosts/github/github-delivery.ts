import { deliveryIdOfBody } from '../delivery-id.ts';
import { isDigest, isSignedBy } from '../delivery-signature.ts';
import type { DeliveryFormat, DeliveryHint, RawDelivery } from '../host.ts';

const pullRequestEvents = new Set([
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'pull_request_review_thread',
  'issue_comment',
]);
const inventoryEvents = new Set([
  'installation',
  'installation_repositories',
  'member',
  'membership',
  'organization',
  'repository',
  'team',
]);

interface Payload {
  readonly repository?: { readonly id?: unknown };
  readonly pull_request?: { readonly number?: unknown };
  readonly issue?: { readonly number?: unknown; readonly pull_request?: object };
}

function hintOf({ headers, body }: RawDelivery): DeliveryHint {
  const event = headers['x-github-event'] ?? '';
  if (inventoryEvents.has(event)) return { kind: 'inventory' };
  if (!pullRequestEvents.has(event))
    return { kind: 'ignored', reason: `${event || 'unnamed'} events are not used` };
  let payload: Payload | null;
  try {
    payload = JSON.parse(body.toString()) as Payload | null;
  } catch {
    return { kind: 'ignored', reason: 'the body is not JSON' };
  }
  const { repository, pull_request, issue } = payload ?? {};
  const number = pull_request?.number ?? (issue?.pull_request === undefined ? undefined : issue.number);
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(repository?.id))
    return { kind: 'ignored', reason: 'not about a pull request' };
  return { kind: 'pull_request', repositoryId: String(repository!.id), number: Number(number) };
}

function signatureIn(headers: RawDelivery['headers']): string | undefined {
  return /^sha256=(.+)$/.exec(headers['x-hub-signature-256'] ?? '')?.[1];
}

/** Webhook deliveries from GitHub. */
export const gitHubDelivery: DeliveryFormat = {
  hasSignature: (headers) => isDigest(signatureIn(headers)),
  async verify({ headers, body }, secrets) {
    const signature = signatureIn(headers);
    return isDigest(signature) && isSignedBy(body, signature, secrets);
  },
  identify: ({ headers, body }) => ({
    deliveryId: headers['x-github-delivery'] ?? deliveryIdOfBody(body),
    event: headers['x-github-event'] ?? 'unknown',
  }),
  hintOf,
};
