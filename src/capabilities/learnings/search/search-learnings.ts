import type { CallerContext } from '../../../access/caller-context.ts';
import type { Database } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { type Embedder, type Embedding, EmbeddingFailed } from '../embedding/embedder.ts';
import type { ExportedLearning } from '../export/export-rows.ts';
import type { LearningFacts } from '../indexing/index-store.ts';
import { isApproved } from '../learning-lifecycle.ts';
import type { RepositoryKey } from '../learning-record.ts';
import type { IndexCache } from './index-cache.ts';
import { rankLearnings } from './rank-learnings.ts';
import type { RepositoryIndex } from './repository-index.ts';
import type { FileFit } from './score-hit.ts';
import { findRepositoriesInScope, loadVisible, type Reviewer } from './search-store.ts';

/** More than are returned, so that some can replace those that the database no longer has. */
const candidatesPerRepository = 200;
/** On a busy machine, the local model waits for processors; a late answer is better than one by words alone. */
const queryBudgetMs = 30_000;

export interface SearchDeps {
  readonly database: Database;
  readonly embedder: Embedder;
  readonly indexCache: IndexCache;
}

export interface SearchInput {
  readonly repositoryId: string;
  readonly query: string;
  readonly file?: string | undefined;
  readonly pullRequest?: number | undefined;
  readonly limit: number;
}

/** Why a Learning was found. */
export interface HitReasons {
  /** Visible to every review of the repository, or only to this pull request. */
  readonly scope: 'repository' | 'pull_request';
  readonly file: FileFit;
  readonly words: number;
  readonly meaning: number | null;
}

export type FoundLearning = ExportedLearning & { readonly score: number; readonly reasons: HitReasons };

interface Candidate {
  readonly key: RepositoryKey;
  readonly id: string;
  readonly score: number;
  readonly reasons: HitReasons;
}

// Without vectors the words still match, so a failing model makes results worse, not absent.
async function embedQuery(embedder: Embedder, query: string): Promise<Embedding | undefined> {
  try {
    const [embedding] = await embedder.embed([query], {
      kind: 'query',
      signal: AbortSignal.timeout(queryBudgetMs),
    });
    return embedding;
  } catch (error) {
    if (error instanceof EmbeddingFailed) return undefined;
    throw error;
  }
}

/** Scope is checked first: a Learning that this reviewer may not see is not even compared. */
function isVisible({ state }: LearningFacts, { now, pullRequest }: Reviewer): boolean {
  const isKnownHere =
    state.visibility === 'shared' || (pullRequest !== undefined && state.pullRequests.includes(pullRequest));
  return isKnownHere && isApproved(state, now);
}

function findCandidates(
  key: RepositoryKey,
  index: RepositoryIndex,
  embedding: Embedding | undefined,
  reviewer: Reviewer,
  { query, files }: Pick<Retrieval, 'query' | 'files'>,
): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const file of files) {
    const ranked = rankLearnings(
      index,
      { text: query, embedding, file },
      (facts) => isVisible(facts, reviewer),
      candidatesPerRepository,
    );
    for (const { facts, score, parts } of ranked) {
      if (score <= (best.get(facts.id)?.score ?? -1)) continue;
      const scope = facts.state.visibility === 'shared' ? ('repository' as const) : ('pull_request' as const);
      best.set(facts.id, { key, id: facts.id, score, reasons: { scope, ...parts } });
    }
  }
  return [...best.values()];
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function rounded(score: number, reasons: HitReasons) {
  const meaning = reasons.meaning === null ? null : round(reasons.meaning);
  return { score: round(score), reasons: { ...reasons, words: round(reasons.words), meaning } };
}

/** Takes the best candidates that the database still has; removes the others from the index. */
async function confirmCandidates(
  { database, indexCache }: SearchDeps,
  sorted: readonly Candidate[],
  reviewer: Reviewer,
  limit: number,
): Promise<FoundLearning[]> {
  const found: FoundLearning[] = [];
  for (let start = 0; start < sorted.length && found.length < limit; ) {
    const part = sorted.slice(start, start + limit - found.length);
    start += part.length;
    for (const [organizationId, own] of Map.groupBy(part, ({ key }) => key.organizationId)) {
      const ids = own.map(({ id }) => id);
      const rows = await loadVisible(database.sql, organizationId, ids, reviewer);
      for (const { key, id, score, reasons } of own) {
        const row = rows.get(id);
        if (row === undefined) indexCache.remove(key, id);
        else found.push({ ...row, ...rounded(score, reasons) });
      }
    }
  }
  return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** Finds what a review would retrieve: the Learnings of the repository that match the query, each with its reasons. */
export async function searchLearnings(
  deps: SearchDeps,
  { scope, now }: Pick<CallerContext, 'scope' | 'now'>,
  sent: SearchInput,
): Promise<FoundLearning[]> {
  const keys = await findRepositoriesInScope(deps.database.sql, scope, sent.repositoryId);
  if (keys.length === 0) throw new AppError('NOT_FOUND', 'There is no such repository');
  const query = redactCredentials(sent.query);
  return retrieve(
    deps,
    keys,
    { now, pullRequest: sent.pullRequest },
    { query, files: [sent.file], limit: sent.limit },
  );
}

/** A query without credentials, and the files that it is about; each of them can have Learnings of its own. */
export interface Retrieval {
  readonly query: string;
  readonly files: readonly (string | undefined)[];
  readonly limit: number;
}

/** Finds, in the review index, the Learnings of the repositories that the reviewer may see and that match best. */
export async function retrieve(
  deps: SearchDeps,
  keys: readonly RepositoryKey[],
  reviewer: Reviewer,
  input: Retrieval,
): Promise<FoundLearning[]> {
  const { embedder, indexCache } = deps;
  let embedding: Promise<Embedding | undefined> | undefined;
  const candidates = await Promise.all(
    keys.map((key) =>
      indexCache.use(key, async (index) => {
        if (index.hasNoVectors) return findCandidates(key, index, undefined, reviewer, input);
        embedding ??= embedQuery(embedder, input.query);
        return findCandidates(key, index, await embedding, reviewer, input);
      }),
    ),
  );
  const sorted = candidates.flat().sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return confirmCandidates(deps, sorted, reviewer, input.limit);
}
