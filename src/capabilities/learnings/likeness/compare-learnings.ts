import { setImmediate } from 'node:timers/promises';
import type { Schedule } from '../../../lib/schedule.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { decodeVectors } from '../embedding/vectors/vector-codec.ts';
import type { LearningFacts } from '../indexing/index-store.ts';
import type { IndexCache, IndexCacheDeps } from '../search/index-cache.ts';
import type { RepositoryIndex } from '../search/repository-index.ts';
import { fileFit } from '../search/score-hit.ts';
import { compareTexts, minMeaning } from './likeness.ts';
import {
  type ChangedLearning,
  findUncompared,
  type LikePair,
  readTexts,
  readUncompared,
  storeCompared,
  type Uncompared,
} from './likeness-store.ts';

const repositoriesPerStep = 50;
const learningsPerStep = 50;
/**
 * After an update of Postil all Learnings are compared with each other. In large repositories this is done a part at a time,
 * so that requests are not delayed.
 */
const maxMsPerRun = 2_000;
/** Of very many similar Learnings, the nearest suffice. */
const maxAlike = 20;

export interface CompareDeps extends IndexCacheDeps {
  readonly embedder: Embedder;
  readonly indexCache: IndexCache;
}

interface Near {
  readonly changed: ChangedLearning;
  readonly otherId: string;
  readonly meaning: number;
}

/** Whether two Learnings can apply to the same file. */
function canMeet(a: string | null, b: string | null): boolean {
  return fileFit(a, b ?? undefined) !== null || fileFit(b, a ?? undefined) !== null;
}

const isShared = ({ state }: LearningFacts) =>
  state.visibility === 'shared' && state.approval !== 'disapproved';

/** The Learnings of the repository that are nearest to a changed one by meaning. */
function findNear(index: RepositoryIndex, changed: ChangedLearning): Near[] {
  if (changed.vectors === null || !changed.isShared) return [];
  const embedding = decodeVectors(changed.vectors);
  const { facts, meanings } = index.compare({ text: '', embedding }, isShared);
  const near: Near[] = [];
  for (const [position, { id, file }] of facts.entries()) {
    const meaning = meanings[position]!;
    if (meaning >= minMeaning && id !== changed.id && canMeet(changed.file, file))
      near.push({ changed, otherId: id, meaning });
  }
  return near.sort((a, b) => b.meaning - a.meaning).slice(0, maxAlike);
}

/** Compares the oldest changes of a repository with all its Learnings. */
async function compareStep(
  { database, embedder, indexCache }: CompareDeps,
  key: Uncompared,
): Promise<number> {
  const changed = await readUncompared(database.sql, key, embedder.id, learningsPerStep);
  const comparedVersion = changed.at(-1)?.version ?? key.version;
  const near = await indexCache.use(key, async (index) => {
    const found: Near[] = [];
    for (const learning of changed) {
      found.push(...findNear(index, learning));
      // Comparing takes about a millisecond per some thousand Learnings, so other tasks get a turn in between.
      await setImmediate();
    }
    return found;
  });
  const texts = await readTexts(
    database.sql,
    key.organizationId,
    near.map(({ otherId }) => otherId),
  );
  const pairs = near.flatMap(({ changed: { id, text }, otherId, meaning }): LikePair[] => {
    const other = texts.get(otherId);
    const likeness = other === undefined ? null : compareTexts(text, other);
    return likeness === null ? [] : [{ firstId: id, secondId: otherId, meaning, likeness }];
  });
  await database.transaction((tx) =>
    storeCompared(
      tx,
      { ...key, comparedVersion },
      changed.map(({ id }) => id),
      uniquePairs(pairs),
    ),
  );
  return comparedVersion;
}

/** Removes duplicates: two Learnings that changed together find each other. */
function uniquePairs(pairs: readonly LikePair[]): LikePair[] {
  return [...new Map(pairs.map((pair) => [[pair.firstId, pair.secondId].sort().join(), pair])).values()];
}

/**
 * Finds Learnings that say the same, or the opposite. Compares only changes and stores the pairs, so that pages are fast
 * however many Learnings there are.
 */
export function compareLearningsSchedule(deps: CompareDeps): Schedule {
  return {
    name: 'learnings-compare',
    intervalMs: 15_000,
    async run(signal) {
      const until = performance.now() + maxMsPerRun;
      for (const key of await findUncompared(deps.database.sql, repositoriesPerStep)) {
        for (let { comparedVersion } = key; comparedVersion < key.version; ) {
          if (signal.aborted || performance.now() > until) return;
          comparedVersion = await compareStep(deps, { ...key, comparedVersion });
        }
      }
    },
  };
}
