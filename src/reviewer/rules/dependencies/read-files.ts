import path from 'node:path';
import type { ChangedFile } from '../../change/change.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import type { Ecosystem } from '../../review-report.ts';
import type { ChangeSides, Comparison } from '../../rule-source.ts';
import { type DependencyFile, nothingIn, UnreadableFile } from './dependency-file.ts';
import { type FileKind, kindOf } from './dependency-file-kinds.ts';

/** A manifest or lock file that the change touches, in both versions. */
export interface FilePair {
  readonly path: string;
  readonly file: ChangedFile;
  readonly kind: FileKind;
  readonly before: DependencyFile;
  readonly after: DependencyFile;
}

/** A lock file of 20,000 packages has about 10 MB. */
export const maxFileBytes = 24 * 1024 * 1024;
/** The maximum number of other files that a search returns. */
const maxManifests = 300;
const conflict = /^(?:<{7}|>{7}) /m;

/** Parses a text. Throws `UnreadableFile` for an invalid one, instead of guessing. */
function readText(kind: FileKind, text: string): DependencyFile {
  if (text.trim() === '') return nothingIn;
  if (conflict.test(text)) throw new UnreadableFile('it has conflict markers');
  return kind.read(text);
}

const tooLarge = 'it is larger than 24 MiB, or not text';

/** Why a file cannot be parsed; other errors are rethrown. */
function faultOf(error: unknown): string {
  if (error instanceof UnreadableFile) return error.message;
  if (error instanceof RangeError) return 'it is nested too deeply';
  throw error;
}

/**
 * Parses both versions of the manifests and lock files in the change. Files that cannot be read are reported, and the others are
 * returned.
 */
export async function readPairs(
  { change, base, head, hasRepository }: ChangeSides,
  signal: AbortSignal,
): Promise<{ readonly pairs: readonly FilePair[] } & Pick<Comparison, 'unread' | 'notes'>> {
  const pairs: FilePair[] = [];
  const unread: Comparison['unread'][number][] = [];
  const notes: string[] = [];
  for (const file of change.files) {
    signal.throwIfAborted();
    const kind = kindOf(file.path);
    if (kind === undefined || file.missing === 'symbolic_link' || file.missing === 'submodule') continue;
    try {
      const former = file.oldPath !== null && kindOf(file.oldPath) === kind ? file.oldPath : null;
      const before = former === null ? '' : await base.read(former, maxFileBytes);
      const after = file.kind === 'deleted' ? '' : await head.read(file.path, maxFileBytes);
      if (before === undefined || after === undefined) {
        unread.push({ path: file.path, reason: hasRepository ? 'too_large' : 'content_missing' });
        if (hasRepository) notes.push(`${file.path} was not read: ${tooLarge}`);
      } else
        pairs.push({
          path: file.path,
          file,
          kind,
          before: readText(kind, before),
          after: readText(kind, after),
        });
    } catch (error) {
      const fault = faultOf(error);
      unread.push({ path: file.path, reason: 'rule_failed' });
      notes.push(`${file.path} was not read: ${fault}`);
    }
  }
  return { pairs, unread, notes };
}

/** The manifests and lock files of one version; each is read on first use. */
export class DependencyTree {
  readonly #tree: TreeView;
  readonly #read = new Map<string, Promise<DependencyFile | undefined>>();
  /** Why files could not be read, by path. */
  readonly faults = new Map<string, string>();
  #paths: Promise<ReadonlyMap<string, FileKind>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** Reads and caches a file; undefined if it does not exist, or cannot be read. */
  read(name: string): Promise<DependencyFile | undefined> {
    const known = this.#read.get(name) ?? this.readOnce(name);
    this.#read.set(name, known);
    return known;
  }

  /** Like `read` without caching, for callers that read very many files. */
  async readOnce(name: string): Promise<DependencyFile | undefined> {
    const kind = (await this.#all()).get(name);
    if (kind === undefined) return undefined;
    try {
      const text = await this.#tree.read(name, maxFileBytes);
      if (text !== undefined) return readText(kind, text);
      this.faults.set(name, tooLarge);
    } catch (error) {
      this.faults.set(name, faultOf(error));
    }
    return undefined;
  }

  /** All manifests and lock files, those in upper folders first. */
  async files(): Promise<{ readonly path: string; readonly kind: FileKind }[]> {
    return [...(await this.#all())]
      .map(([path, kind]) => ({ path, kind }))
      .sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
  }

  #all(): Promise<ReadonlyMap<string, FileKind>> {
    this.#paths ??= this.#tree.paths().then((paths) => {
      const found = new Map<string, FileKind>();
      for (const each of paths) {
        const kind = kindOf(each);
        if (kind !== undefined) found.set(each, kind);
      }
      return found;
    });
    return this.#paths;
  }

  /** The files of an ecosystem in a folder, or also below it: the nearest first, at most `maxManifests`. */
  async find(
    ecosystem: Ecosystem,
    role: FileKind['role'],
    folder: string,
    depth: 'here' | 'below',
  ): Promise<string[]> {
    const isThere = (name: string) =>
      depth === 'here' ? folderOf(name) === folder : folder === '' || name.startsWith(`${folder}/`);
    return [...(await this.#all())]
      .filter(([name, kind]) => kind.ecosystem === ecosystem && kind.role === role && isThere(name))
      .map(([name]) => name)
      .sort((a, b) => depthOf(a) - depthOf(b))
      .slice(0, maxManifests);
  }
}

const depthOf = (name: string) => name.split('/').length;

/** The folder of a file; empty for the root of the repository. */
export function folderOf(name: string): string {
  const folder = path.posix.dirname(name);
  return folder === '.' ? '' : folder;
}
