import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Tx } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { OrganizationId } from '../../../lib/ids.ts';
import { REDACTOR_VERSION } from '../../../redaction/redact-credentials.ts';
import { recordChanges } from '../../audit-log/record-changes.ts';
import type { ExportedLearning } from '../export/export-rows.ts';
import { loadExported } from '../export/list-store.ts';
import { type IndexDeps, indexLearnings, repairDueAt } from '../indexing/index-learnings.ts';
import { learningChange } from '../learning-audit.ts';
import { contentHash } from '../learning-id.ts';
import { repositoryKey, type StoredLearning } from '../learning-record.ts';
import { findByContent, findByIds } from '../store.ts';
import { lockRepositories, updateText } from '../store-writes.ts';

const retryAfterSeconds = 5;

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such Learning');
}

/**
 * Replaces the canonical text; the same text changes nothing and returns the record as it was. Needs the repository's lock.
 */
export async function replaceText(
  tx: Tx,
  learning: StoredLearning,
  text: string,
  { now, version }: { readonly now: Date; readonly version: number },
): Promise<StoredLearning> {
  const hash = contentHash(text);
  const changed = { ...learning, text, hash };
  const [owner] = (await findByContent(tx, [changed])).values();
  if (owner?.id === learning.id) return learning;
  if (owner !== undefined)
    throw new AppError('CONFLICT', 'Another Learning of the repository has this text already');
  const indexDueAt = repairDueAt(now, [text]);
  await updateText(tx, learning, { text, hash, redactorVersion: REDACTOR_VERSION, now, indexDueAt, version });
  return { ...changed, embedderId: null };
}

async function storeText(
  { database }: IndexDeps,
  context: CallerContext,
  organizationId: OrganizationId,
  id: string,
  text: string,
): Promise<StoredLearning> {
  return database.transaction(async (tx) => {
    const [found] = await findByIds(tx, organizationId, [id]);
    if (found === undefined) throw notFound();
    const versions = await lockRepositories(tx, [found]);
    const [learning] = await findByIds(tx, organizationId, [id]);
    if (learning === undefined) throw notFound();
    const version = versions.get(repositoryKey(learning))!;
    const changed = await replaceText(tx, learning, text, { now: context.now, version });
    if (changed !== learning)
      await recordChanges(tx, context, [learningChange('learning.updated', learning)]);
    return changed;
  });
}

/** Replaces the text of a Learning and refreshes the index; repeating the call repairs a failed refresh. */
export async function updateLearning(
  deps: IndexDeps,
  context: CallerContext,
  id: string,
  text: string,
): Promise<ExportedLearning> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  const learning = await storeText(deps, context, organizationId, id, text);
  if (learning.embedderId !== deps.embedder.id) {
    const { hasFailed } = await indexLearnings(deps, [learning]);
    if (hasFailed) {
      const message =
        'The Learning was updated but the review index could not be refreshed; repeat the request';
      throw new AppError('INDEX_REFRESH_FAILED', message, retryAfterSeconds);
    }
  }
  const exported = await loadExported(deps.database.sql, organizationId, id);
  if (exported === undefined) throw notFound();
  return exported;
}
