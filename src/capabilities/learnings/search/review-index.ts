import type { Database } from '../../../db/database.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { VectorPanels } from '../embedding/vectors/vector-panels.ts';
import { readChanges, readIndexVersion } from '../indexing/index-store.ts';
import { type RepositoryKey, repositoryKey } from '../learning-record.ts';
import { RepositoryIndex } from './repository-index.ts';

const defaultMaxBytes = 128 * 1024 * 1024;

export interface ReviewIndexDeps {
  readonly database: Database;
  readonly embedder: Embedder;
}

interface Kept {
  readonly index: RepositoryIndex;
  refresh: Promise<void>;
}

/**
 * Repositories' Learnings in memory, brought up to date at each use by the version that the database has, so that a
 * change made on any node is seen by the next search on every other. The least recently used go when they get large.
 */
export class ReviewIndex {
  readonly #deps: ReviewIndexDeps;
  readonly #maxBytes: number;
  readonly #repositories = new Map<string, Kept>();
  /** Made with the first vectors: only they tell how long the vectors of an endpoint are. */
  #panels: VectorPanels | undefined;

  constructor(deps: ReviewIndexDeps, maxBytes = defaultMaxBytes) {
    this.#deps = deps;
    this.#maxBytes = maxBytes;
  }

  /**
   * Runs the work on the repository's index with everything that was committed before the call. The work must not keep
   * the index: afterwards it may go to make room for others.
   */
  async use<T>(key: RepositoryKey, work: (index: RepositoryIndex) => T): Promise<T> {
    const name = repositoryKey(key);
    const kept = this.#repositories.get(name) ?? this.#newIndex();
    this.#repositories.delete(name);
    this.#repositories.set(name, kept);
    const version = await readIndexVersion(this.#deps.database.sql, key);
    const refresh = kept.refresh.catch(() => {}).then(() => this.#refresh(key, kept.index, version));
    kept.refresh = refresh;
    await refresh;
    const result = work(kept.index);
    this.#evict(name);
    return result;
  }

  /** True when another repository would make one that is in memory go. */
  get isFull(): boolean {
    return this.#bytes >= this.#maxBytes;
  }

  get #bytes(): number {
    return this.#repositories.values().reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** Leaves out a Learning that the database no longer has. */
  forget(key: RepositoryKey, id: string): void {
    this.#repositories.get(repositoryKey(key))?.index.forget(id);
  }

  #newIndex(): Kept {
    const panelsFor = (dimensions: number) => {
      this.#panels ??= new VectorPanels(dimensions);
      return this.#panels.dimensions === dimensions ? this.#panels : undefined;
    };
    return { index: new RepositoryIndex(panelsFor), refresh: Promise.resolve() };
  }

  async #refresh(key: RepositoryKey, index: RepositoryIndex, version: number): Promise<void> {
    if (index.version >= version) return;
    const { database, embedder } = this.#deps;
    await readChanges(database, key, embedder.id, index.position, (change) => index.put(change));
    index.version = Math.max(version, index.position.version);
  }

  #evict(inUse: string): void {
    let bytes = this.#bytes;
    for (const [name, { index }] of this.#repositories) {
      if (bytes <= this.#maxBytes) return;
      if (name === inUse) continue;
      this.#repositories.delete(name);
      bytes -= index.bytes;
      index.clear();
    }
  }
}
