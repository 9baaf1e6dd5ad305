import { totalmem } from 'node:os';
import type { Database } from '../../../db/database.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { VectorPanels } from '../embedding/vectors/vector-panels.ts';
import { readChanges, readIndexVersion } from '../indexing/index-store.ts';
import { type RepositoryKey, repositoryKey } from '../learning-record.ts';
import { bytesBesideVectors, RepositoryIndex } from './repository-index.ts';

const megabyte = 2 ** 20;
const shareOfMemory = 1 / 8;
const typicalTextBytes = 200;
const typicalDimensions = 384;

/** A share of the memory that this process may use: loading a large repository again takes seconds. */
function defaultMaxBytes(): number {
  // The constrained memory is zero, or more than there is, if nothing constrains the process.
  const usable = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.min(Math.max(128 * megabyte, usable * shareOfMemory), 2048 * megabyte);
}

export interface IndexCacheDeps {
  readonly database: Database;
  readonly embedder: Embedder;
}

interface CachedIndex {
  readonly index: RepositoryIndex;
  refresh: Promise<void>;
  /** How many searches use it right now; it is not evicted until they have ended. */
  users: number;
}

/**
 * Repositories' Learnings in memory, updated at each use to the version in the database, so that a change made on any
 * node is seen by the next search on every other. The least recently used are evicted when memory is full.
 */
export class IndexCache {
  readonly #deps: IndexCacheDeps;
  readonly #maxBytes: number;
  readonly #repositories = new Map<string, CachedIndex>();
  /** Created with the first vectors, because only they show how long the vectors of an endpoint are. */
  #panels: VectorPanels | undefined;

  constructor(deps: IndexCacheDeps, maxBytes = defaultMaxBytes()) {
    this.#deps = deps;
    this.#maxBytes = maxBytes;
  }

  /**
   * Runs the work on the repository's index with everything that was committed before the call, or more. The work must
   * not hold on to the index, because it may be evicted afterwards.
   */
  async use<T>(key: RepositoryKey, work: (index: RepositoryIndex) => T | Promise<T>): Promise<T> {
    const name = repositoryKey(key);
    const cached = this.#repositories.get(name) ?? this.#newIndex();
    this.#repositories.delete(name);
    this.#repositories.set(name, cached);
    cached.users += 1;
    try {
      const version = await readIndexVersion(this.#deps.database.sql, key);
      const refresh = cached.refresh.catch(() => {}).then(() => this.#refresh(key, cached.index, version));
      cached.refresh = refresh;
      await refresh;
      return await work(cached.index);
    } finally {
      // Evicted here, while this index counts as in use: the most recently used index stays even if it alone exceeds the limit.
      this.#evict();
      cached.users -= 1;
    }
  }

  /** Whether a repository with that many Learnings probably fits without evicting others. */
  hasRoomFor(learnings: number): boolean {
    const vectorBytes =
      (this.#deps.embedder.dimensions ?? typicalDimensions) * Float32Array.BYTES_PER_ELEMENT;
    const each = bytesBesideVectors + typicalTextBytes + vectorBytes;
    return this.#bytes + learnings * each <= this.#maxBytes;
  }

  get #bytes(): number {
    return this.#repositories.values().reduce((sum, { index }) => sum + index.bytes, 0);
  }

  /** Removes a Learning that the database no longer has. */
  remove(key: RepositoryKey, id: string): void {
    this.#repositories.get(repositoryKey(key))?.index.remove(id);
  }

  #newIndex(): CachedIndex {
    const panelsFor = (dimensions: number) => {
      this.#panels ??= new VectorPanels(dimensions);
      return this.#panels.dimensions === dimensions ? this.#panels : undefined;
    };
    return { index: new RepositoryIndex(panelsFor), refresh: Promise.resolve(), users: 0 };
  }

  async #refresh(key: RepositoryKey, index: RepositoryIndex, version: number): Promise<void> {
    if (index.version >= version) return;
    const { database, embedder } = this.#deps;
    // Changes that were made meanwhile are read again by the next search.
    await readChanges(database, key, embedder.id, index.version, (change) => index.put(change));
    index.version = version;
  }

  #evict(): void {
    let bytes = this.#bytes;
    for (const [name, { index, users }] of this.#repositories) {
      if (bytes <= this.#maxBytes) return;
      if (users > 0) continue;
      this.#repositories.delete(name);
      bytes -= index.bytes;
      index.clear();
    }
  }
}
