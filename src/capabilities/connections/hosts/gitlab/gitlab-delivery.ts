import { Webhook } from 'standardwebhooks';
import { deliveryIdOfBody } from '../delivery-id.ts';
import { isSameText } from '../delivery-signature.ts';
import type { DeliveryFormat, DeliveryHint, RawDelivery } from '../host.ts';

const inventoryEvents = new Set(['Member Hook', 'Project Hook', 'Subgroup Hook', 'System Hook']);

interface Payload {
  readonly object_kind?: string;
  readonly project?: { readonly id?: unknown };
  readonly project_id?: unknown;
  readonly object_attributes?: { readonly iid?: unknown };
  readonly merge_request?: { readonly iid?: unknown };
}

function hintOf({ headers, body }: RawDelivery): DeliveryHint {
  let payload: Payload | null;
  try {
    payload = JSON.parse(body.toString()) as Payload | null;
  } catch {
    return { kind: 'ignored', reason: 'the body is not JSON' };
  }
  const { object_kind, project, project_id, object_attributes, merge_request } = payload ?? {};
  const number = object_kind === 'merge_request' ? object_attributes?.iid : merge_request?.iid;
  const repositoryId = project?.id ?? project_id;
  if (Number.isSafeInteger(number) && Number.isSafeInteger(repositoryId))
    return { kind: 'pull_request', repositoryId: String(repositoryId), number: Number(number) };
  if (inventoryEvents.has(headers['x-gitlab-event'] ?? '')) return { kind: 'inventory' };
  return { kind: 'ignored', reason: 'not about a merge request' };
}

/** Verifies a Standard Webhooks signature; a secret in another format never matches. */
function isSigned(headers: RawDelivery['headers'], body: Buffer, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Webhook deliveries from GitLab. */
export const gitLabDelivery: DeliveryFormat = {
  hasSignature: (headers) => Boolean(headers['webhook-signature'] ?? headers['x-gitlab-token']),
  async verify({ headers, body }, secrets) {
    // Every secret is tried, so that timing does not reveal which one matches.
    if (headers['webhook-signature'] !== undefined)
      return secrets.map((secret) => isSigned(headers, body, secret)).some((isSame) => isSame);
    const token = headers['x-gitlab-token'];
    return token !== undefined && secrets.map((secret) => isSameText(secret, token)).some((isSame) => isSame);
  },
  identify: ({ headers, body }) => ({
    deliveryId:
      headers['webhook-id'] ??
      headers['idempotency-key'] ??
      headers['x-gitlab-event-uuid'] ??
      deliveryIdOfBody(body),
    event: headers['x-gitlab-event'] ?? 'unknown',
  }),
  hintOf,
};
