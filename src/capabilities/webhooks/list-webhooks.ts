import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { findWebhooks } from './store.ts';
import { presentWebhook } from './webhook-record.ts';

/** The webhooks of the organization, newest first. */
export async function listWebhooks(
  { database }: { database: Database },
  { scope }: CallerContext,
  { after, limit }: { after: string | undefined; limit: number },
) {
  const found = await findWebhooks(database.sql, onlyOrganization(scope).organization.id, after, limit + 1);
  const { rows, next } = cutPage(found, limit, ({ webhookId }) => webhookId);
  return { webhooks: rows.map(presentWebhook), next };
}
