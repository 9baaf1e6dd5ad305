import type { CallerContext } from '../../../access/caller-context.ts';
import { onlyOrganization } from '../../../access/org-scope.ts';
import type { Tx } from '../../../db/database.ts';
import type { OrganizationId, ProviderRepositoryId, RepositoryId } from '../../../lib/ids.ts';
import { REDACTOR_VERSION } from '../../../redaction/redact-credentials.ts';
import type { AuditChange } from '../../audit-log/record-changes.ts';
import { type Author, findAuthor } from '../find-author.ts';
import { type IndexDeps, indexLearnings, repairDueAt } from '../indexing/index-learnings.ts';
import { learningChange } from '../learning-audit.ts';
import { contentHash } from '../learning-id.ts';
import { isApproved, isPublished, publishedState } from '../learning-lifecycle.ts';
import { type ContentKey, contentKey, type NewLearning, type StoredLearning } from '../learning-record.ts';
import { recordLearningChanges } from '../record-learning-changes.ts';
import { findActiveRepositories, findByContent } from '../store.ts';
import { findFreeIds, insertLearnings, lockRepositories, updateStates } from '../store-writes.ts';
import { type InvalidItem, type NamedContent, readItems, type ValidItem } from './learning-item.ts';

export type ItemErrorCode = 'INVALID_ITEM' | 'REPOSITORY_NOT_FOUND' | 'INDEXING_FAILED';

export interface ItemResult {
  readonly index: number;
  readonly status: 'created' | 'duplicate' | 'failed';
  readonly id: string | null;
  readonly error?: { readonly code: ItemErrorCode; readonly message: string };
}

type KeyedItem = ValidItem & { readonly key: ContentKey };
type Stored = Map<string, { readonly learning: StoredLearning; readonly isNew: boolean }>;

/** Inserts new records and publishes existing ones; returns all records of the batch by content key. */
async function storeItems(
  tx: Tx,
  items: readonly KeyedItem[],
  author: Author,
  context: CallerContext,
): Promise<Stored> {
  const firstOfEach = [...Map.groupBy(items, ({ key }) => contentKey(key)).values()].map(([first]) => first!);
  const versions = await lockRepositories(
    tx,
    firstOfEach.map(({ key }) => key),
  );
  const known = await findByContent(
    tx,
    firstOfEach.map(({ key }) => key),
  );
  const missing = firstOfEach.filter(({ key }) => !known.has(contentKey(key)));
  const ids = await findFreeIds(
    tx,
    missing.map(({ key, text }) => ({ ...key, text })),
  );
  const indexDueAt = repairDueAt(
    context.now,
    firstOfEach.map(({ text }) => text),
  );
  const created = missing.map(
    (item, position): NewLearning => ({
      ...item.key,
      ...publishedState,
      id: ids[position]!,
      text: item.text,
      file: item.file,
      sourceUrl: item.sourceUrl,
      authorId: author.id,
      authorPersonId: author.personId,
      origin: 'api',
      redactorVersion: REDACTOR_VERSION,
      createdAt: context.now,
      indexDueAt,
    }),
  );
  await insertLearnings(tx, created, versions);
  const unpublished = [...known.values()].filter((learning) => !isPublished(learning, context.now));
  await updateStates(
    tx,
    unpublished.map((learning) => ({ learning, state: publishedState })),
    versions,
  );
  await recordLearningChanges(tx, context, [
    ...created.map((learning) => learningChange('learning.created', learning, { origin: 'api' })),
    ...unpublished.flatMap((learning) => publication(learning, context.now)),
  ]);
  const fresh = new Map(created.map((learning) => [contentKey(learning), { ...learning, embedderId: null }]));
  return new Map(
    firstOfEach.map(({ key }) => {
      const name = contentKey(key);
      return [name, { learning: known.get(name) ?? fresh.get(name)!, isNew: fresh.has(name) }];
    }),
  );
}

function publication(learning: StoredLearning, now: Date): AuditChange[] {
  return [
    ...(learning.visibility === 'shared' ? [] : [learningChange('learning.shared', learning)]),
    ...(isApproved(learning, now) ? [] : [learningChange('learning.approved', learning)]),
  ];
}

function failed(index: number, id: string | null, code: ItemErrorCode, message: string): ItemResult {
  return { index, status: 'failed', id, error: { code, message } };
}

function keyOf(
  organizationId: OrganizationId,
  repositories: ReadonlyMap<ProviderRepositoryId, RepositoryId>,
  named: NamedContent,
): ContentKey | undefined {
  const repositoryId = repositories.get(named.repositoryId);
  if (repositoryId === undefined) return undefined;
  return { organizationId, repositoryId, hash: contentHash(named.text) };
}

function resultsOfStored(
  items: readonly KeyedItem[],
  stored: Stored,
  unindexed: ReadonlySet<string>,
): ItemResult[] {
  const seen = new Set<string>();
  return items.map(({ index, key }) => {
    const name = contentKey(key);
    const { learning, isNew } = stored.get(name)!;
    const status = isNew && !seen.has(name) ? 'created' : 'duplicate';
    seen.add(name);
    if (!unindexed.has(learning.id)) return { index, status, id: learning.id };
    return failed(
      index,
      learning.id,
      'INDEXING_FAILED',
      'The Learning is stored but not in the review index yet; repeat the request to repair it',
    );
  });
}

/** The results of invalid items, each with the id of its text, or the one that it would get, where one can be derived. */
async function resultsOfInvalid(
  { database: { sql } }: IndexDeps,
  items: readonly InvalidItem[],
  keyFor: (named: NamedContent) => ContentKey | undefined,
): Promise<ItemResult[]> {
  const contents = items.flatMap(({ named }) => {
    const key = named && keyFor(named);
    return named && key ? [{ ...key, text: named.text }] : [];
  });
  // In this order, a record that is created meanwhile is known.
  const freeIds = await findFreeIds(sql, contents);
  const known = await findByContent(sql, contents);
  const ids = new Map(
    contents.map(contentKey).map((name, position) => [name, known.get(name)?.id ?? freeIds[position]!]),
  );
  return items.map(({ index, fault, named }) => {
    const key = named && keyFor(named);
    const id = key ? (ids.get(contentKey(key)) ?? null) : null;
    return failed(index, id, 'INVALID_ITEM', fault);
  });
}

function summary(results: readonly ItemResult[]) {
  const count = (status: ItemResult['status']) => results.filter((result) => result.status === status).length;
  const failedCount = count('failed');
  const status =
    failedCount === 0 ? 'success' : failedCount === results.length ? 'failure' : 'partial_success';
  return {
    status,
    created_count: count('created'),
    duplicate_count: count('duplicate'),
    failed_count: failedCount,
    results,
  } as const;
}

/** Stores a batch of Learnings in order and indexes them; each item has its own result, and repeating it is safe. */
export async function createLearnings(deps: IndexDeps, context: CallerContext, data: readonly unknown[]) {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  const items = await readItems(data);
  const invalid = items.filter((item) => 'fault' in item);
  const valid = items.filter((item) => 'text' in item);
  const named = [...valid, ...invalid.flatMap((item) => item.named ?? [])];
  const repositories = await findActiveRepositories(
    deps.database.sql,
    organizationId,
    named.map(({ repositoryId }) => repositoryId),
  );
  const keyFor = (content: NamedContent) => keyOf(organizationId, repositories, content);
  const keyed: KeyedItem[] = [];
  const results: ItemResult[] = [];
  for (const item of valid) {
    const key = keyFor(item);
    if (key !== undefined) keyed.push({ ...item, key });
    else {
      const message = `data[${item.index}].repository_id: the organization has no such repository`;
      results.push(failed(item.index, null, 'REPOSITORY_NOT_FOUND', message));
    }
  }
  if (keyed.length > 0) {
    const author = await findAuthor(deps.database.sql, context.principal, organizationId);
    const stored = await deps.database.transaction((tx) => storeItems(tx, keyed, author, context));
    const wanted = [...stored.values()]
      .map(({ learning }) => learning)
      .filter(({ embedderId }) => embedderId !== deps.embedder.id);
    const { unindexed, hasFailed } = await indexLearnings(deps, wanted);
    // Records that a busy machine has not embedded in time are found by their words already, which is not a failure.
    results.push(...resultsOfStored(keyed, stored, hasFailed ? unindexed : new Set()));
  }
  results.push(...(await resultsOfInvalid(deps, invalid, keyFor)));
  return summary(results.sort((a, b) => a.index - b.index));
}
