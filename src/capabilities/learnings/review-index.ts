import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { CosineMatrix, type OwnerScore } from './embedding/cosine-matrix.ts';
import type { Embedder, Embedding } from './embedding/embedder.ts';
import { decodeVectors } from './embedding/vector-codec.ts';
import { type ChangePosition, findChanges, type IndexedLearning, readIndexVersion } from './index-store.ts';
import { type RepositoryKey, repositoryKey } from './learning-record.ts';

const rowsPerRead = 1000;
const firstId = '00000000-0000-0000-0000-000000000000';
const defaultMaxBytes = 128 * 1024 * 1024;
const bytesBesideVectors = 500;

/** What is kept of a Learning beside its vectors. */
export type LearningFacts = Omit<IndexedLearning, 'vectors'>;

/** The Learnings of one repository in memory: the facts that retrieval filters by, and the vectors. */
export class RepositoryIndex {
  readonly #facts = new Map<string, LearningFacts>();
  readonly #bytesOf = new Map<string, number>();
  #matrix: CosineMatrix | undefined;
  /** The last change that was read. */
  position: ChangePosition = { version: 0, id: firstId };
  /** Everything up to this version was read. */
  version = 0;
  bytes = 0;

  /** True when no Learning can be compared by meaning. */
  get hasNoVectors(): boolean {
    return this.#matrix === undefined || this.#matrix.size === 0;
  }

  factsOf(id: string): LearningFacts | undefined {
    return this.#facts.get(id);
  }

  put({ vectors, ...facts }: IndexedLearning): void {
    this.forget(facts.id);
    const bytes = bytesBesideVectors + (vectors?.length ?? 0);
    this.#facts.set(facts.id, facts);
    this.#bytesOf.set(facts.id, bytes);
    this.bytes += bytes;
    const embedding = vectors === null ? [] : decodeVectors(vectors);
    const dimensions = embedding[0]?.length;
    if (dimensions !== undefined) {
      this.#matrix ??= new CosineMatrix(dimensions);
      // A model that changed its dimensions without its name: such vectors cannot be compared, so words must do.
      if (this.#matrix.dimensions === dimensions) this.#matrix.set(facts.id, embedding);
    }
    this.position = { version: facts.version, id: facts.id };
  }

  /** Leaves out a Learning that the database no longer has. */
  forget(id: string): void {
    this.bytes -= this.#bytesOf.get(id) ?? 0;
    this.#bytesOf.delete(id);
    this.#facts.delete(id);
    this.#matrix?.delete(id);
  }

  /** The accepted Learnings nearest in meaning to the query, best first. */
  nearest(
    query: Embedding,
    options: { limit?: number; minimumScore?: number; accepts: (facts: LearningFacts) => boolean },
  ): OwnerScore[] {
    const matrix = this.#matrix;
    if (matrix === undefined || query.some((vector) => vector.length !== matrix.dimensions)) return [];
    return matrix.topScores(query, {
      ...options,
      accepts: (id) => {
        const facts = this.#facts.get(id);
        return facts !== undefined && options.accepts(facts);
      },
    });
  }
}

export interface ReviewIndexDeps {
  readonly database: Database;
  readonly embedder: Embedder;
}

/**
 * Repositories' Learnings in memory, brought up to date at each use by the version that the database has, so that a
 * change made on any node is seen by the next search on every other. The least recently used go when they get large.
 */
export class ReviewIndex {
  readonly #deps: ReviewIndexDeps;
  readonly #maxBytes: number;
  readonly #repositories = new Map<string, { index: RepositoryIndex; refresh: Promise<void> }>();

  constructor(deps: ReviewIndexDeps, maxBytes = defaultMaxBytes) {
    this.#deps = deps;
    this.#maxBytes = maxBytes;
  }

  /** The repository's index with everything that was committed before the call. */
  async open(key: RepositoryKey): Promise<RepositoryIndex> {
    const name = repositoryKey(key);
    const kept = this.#repositories.get(name) ?? { index: new RepositoryIndex(), refresh: Promise.resolve() };
    this.#repositories.delete(name);
    this.#repositories.set(name, kept);
    const version = await readIndexVersion(this.#deps.database.sql, key);
    const refresh = kept.refresh.catch(() => {}).then(() => this.#refresh(key, kept.index, version));
    kept.refresh = refresh;
    await refresh;
    this.#evict(name);
    return kept.index;
  }

  async #refresh(key: RepositoryKey, index: RepositoryIndex, version: number): Promise<void> {
    if (index.version >= version) return;
    const { database, embedder } = this.#deps;
    for (;;) {
      const changes = await findChanges(database.sql, key, embedder.id, index.position, rowsPerRead);
      for (const change of changes) index.put(change);
      if (changes.length < rowsPerRead) break;
      await nextTurn();
    }
    index.version = Math.max(version, index.position.version);
  }

  #evict(inUse: string): void {
    let bytes = 0;
    for (const { index } of this.#repositories.values()) bytes += index.bytes;
    for (const [name, { index }] of this.#repositories) {
      if (bytes <= this.#maxBytes) return;
      if (name === inUse) continue;
      this.#repositories.delete(name);
      bytes -= index.bytes;
    }
  }
}
