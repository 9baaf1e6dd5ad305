import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AddressGuard } from '../../outbound/address-guard.ts';
import { isRefused } from '../../outbound/is-refused.ts';
import type { Vault } from '../../secrets/vault.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { awaitWriters } from './await-writers.ts';
import type { WebhookRequest } from './schemas.ts';
import { findWebhooks, insertWebhook } from './store.ts';
import { presentWebhook, type Webhook, webhookChangeEntry } from './webhook-record.ts';
import { newSecret } from './webhook-secret.ts';

export interface WebhookDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** Decides which addresses webhooks may have. */
  readonly customerAddresses: AddressGuard;
}

export const maxWebhooks = 50;

/** Throws if the URL leads to a forbidden address, as far as DNS shows at the moment. */
export async function checkUrl({ customerAddresses }: WebhookDeps, url: string): Promise<void> {
  if (await isRefused(new URL(url), customerAddresses))
    throw new AppError(
      'INVALID_REQUEST',
      'url: is an internal address, which the operator has not allowed for webhooks',
    );
}

/** Creates a webhook and returns its secret, which is never shown again. All events after the return are delivered to it. */
export async function createWebhook(deps: WebhookDeps, context: CallerContext, request: WebhookRequest) {
  const { organization } = onlyOrganization(context.scope);
  await checkUrl(deps, request.url);
  const created = await deps.database.transaction(async (tx) => {
    await lockOrganization(tx, organization.id);
    if ((await findWebhooks(tx, organization.id, undefined, maxWebhooks)).length === maxWebhooks)
      throw new AppError('CONFLICT', `An organization can have at most ${maxWebhooks} webhooks`);
    const { secret, secretId } = await newSecret(tx, deps.vault);
    const webhook: Webhook = {
      organizationId: organization.id,
      webhookId: newUuid(),
      url: request.url,
      types: request.types,
      isActive: request.active,
      notice: null,
      noticeAt: null,
      failingSince: null,
      secretId,
      createdAt: context.now,
    };
    await insertWebhook(tx, webhook);
    const { types, active } = request;
    await recordChanges(tx, context, [webhookChangeEntry('created', webhook, { types, active })]);
    return { ...presentWebhook(webhook), secret };
  });
  await awaitWriters(deps.database);
  return created;
}
