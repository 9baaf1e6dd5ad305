import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import { AppError } from '../../lib/app-error.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { awaitWriters } from './await-writers.ts';
import { checkUrl, type WebhookDeps } from './create-webhook.ts';
import type { WebhookChange } from './schemas.ts';
import { deleteWebhook, lockWebhook, requireWebhook, startAfresh, updateWebhook } from './store.ts';
import { presentWebhook, type Webhook, webhookChangeEntry } from './webhook-record.ts';
import {
  findFormerSecrets,
  keepFormerSecret,
  maxFormerSecrets,
  newSecret,
  takeFormerSecrets,
} from './webhook-secret.ts';

function keyOf({ scope }: CallerContext, webhookId: string) {
  return { organizationId: onlyOrganization(scope).organization.id, webhookId };
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Changes a webhook's URL, event types or pause. Waiting deliveries are tried at once if the change may help. */
export async function changeWebhook(
  deps: WebhookDeps,
  context: CallerContext,
  webhookId: string,
  change: WebhookChange,
) {
  const key = keyOf(context, webhookId);
  await requireWebhook(deps.database.sql, key);
  if (change.url !== undefined) await checkUrl(deps, change.url);
  const webhook = await deps.database.transaction(async (tx) => {
    const known = await lockWebhook(tx, key);
    const isActive = change.active ?? known.isActive;
    const changed: Webhook = {
      ...known,
      url: change.url ?? known.url,
      types: change.types ?? known.types,
      isActive,
      ...(isActive && !known.isActive && { notice: null, noticeAt: null, failingSince: null }),
    };
    if (isEqual(changed, known)) return known;
    await updateWebhook(tx, changed);
    if (isActive && (!known.isActive || changed.url !== known.url)) await startAfresh(tx, key, context.now);
    const names = Object.keys(change).sort();
    await recordChanges(tx, context, [webhookChangeEntry('updated', changed, { changed: names })]);
    return changed;
  });
  await awaitWriters(deps.database);
  return presentWebhook(webhook);
}

/** Removes a webhook and its deliveries. */
export async function removeWebhook(
  { database, vault }: WebhookDeps,
  context: CallerContext,
  webhookId: string,
): Promise<void> {
  const key = keyOf(context, webhookId);
  await database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, key);
    const formerSecrets = await takeFormerSecrets(tx, key);
    await deleteWebhook(tx, key);
    await vault.forget(tx, [webhook.secretId, ...formerSecrets]);
    await recordChanges(tx, context, [webhookChangeEntry('deleted', webhook)]);
  });
}

/** Rotates a webhook's secret. Replaced secrets also sign for another day. */
export async function rotateSecret(
  { database, vault }: WebhookDeps,
  context: CallerContext,
  webhookId: string,
): Promise<{ secret: string }> {
  return database.transaction(async (tx) => {
    const webhook = await lockWebhook(tx, keyOf(context, webhookId));
    if ((await findFormerSecrets(tx, webhook, context.now)).length >= maxFormerSecrets)
      throw new AppError('CONFLICT', `A secret can be rotated at most ${maxFormerSecrets} times in 24 hours`);
    const { secret, secretId } = await newSecret(tx, vault);
    await updateWebhook(tx, { ...webhook, secretId });
    await keepFormerSecret(tx, webhook, webhook.secretId, context.now);
    await recordChanges(tx, context, [webhookChangeEntry('secret_rotated', webhook)]);
    return { secret };
  });
}
