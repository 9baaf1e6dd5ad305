import { Webhook } from 'standardwebhooks';
import type { DeliveryHint, HostKind, RawDelivery, TokenCredentials } from '../host.ts';
import { bodyDigest, isSameText, randomSecret } from '../signature.ts';
import { connectGitLab } from './gitlab-host.ts';

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

/** Signed by Standard Webhooks; a secret of another form signs nothing in that way. */
function isSigned(headers: RawDelivery['headers'], body: Buffer, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** GitLab in the cloud and self-managed. */
export const gitlab: HostKind = {
  provider: 'gitlab',
  cloudUrl: 'https://gitlab.com',
  takesApps: false,
  appCreation: null,
  async verify({ headers, body }, secrets) {
    // Every secret is tried, so that the time does not tell which one fits.
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
      bodyDigest(body),
    event: headers['x-gitlab-event'] ?? 'unknown',
  }),
  hintOf,
  makeWebhookSecret: randomSecret,
  connect: ({ url, credentials, outbound }) =>
    connectGitLab(url, (credentials as TokenCredentials).token, outbound),
};
