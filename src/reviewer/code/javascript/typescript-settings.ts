import path from 'node:path';
import type { TreeView } from '../../repository/tree-view.ts';
import { readJsonWithComments } from './json-with-comments.ts';

interface PathMap {
  /** The folder that the targets are relative to. */
  readonly folder: string;
  readonly paths: Readonly<Record<string, readonly string[]>>;
  readonly baseFolder: string | undefined;
}

export interface Candidates {
  readonly paths: readonly string[];
  /** Whether the nearest settings map names with this prefix, and to folders that exist in the repository. */
  readonly isAlias: boolean;
}

interface Found extends Candidates {
  readonly folders: readonly string[];
}

const nowhere: Found = { paths: [], isAlias: false, folders: [] };
const names = ['tsconfig.json', 'jsconfig.json'];
const maxExtends = 5;

/** Resolves imports that are not relative by `paths` and `baseUrl` of the nearest `tsconfig.json`. */
export class TypeScriptSettings {
  readonly #tree: TreeView;
  readonly #known = new Map<string, Promise<PathMap | undefined>>();

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** The possible paths of a file, without its extension; none if no settings map the name. */
  async candidates(from: string, specifier: string): Promise<Candidates> {
    let isNearest = true;
    for (let folder = path.posix.dirname(from); ; folder = path.posix.dirname(folder)) {
      const map = await this.#mapAt(folder === '.' ? '' : folder);
      const found = map === undefined ? nowhere : candidatesOf(map, specifier);
      if (found.paths.length > 0 || folder === '.')
        return { ...found, isAlias: found.isAlias && isNearest && (await this.#areHere(found.folders)) };
      // Settings without a match may inherit one from settings that are not in the repository.
      if ((await this.#nameAt(folder)) !== undefined) isNearest = false;
    }
  }

  async #areHere(folders: readonly string[]): Promise<boolean> {
    const paths = [...(await this.#tree.paths())];
    return folders.every((folder) => paths.some((file) => folder === '.' || file.startsWith(`${folder}/`)));
  }

  #mapAt(folder: string): Promise<PathMap | undefined> {
    const known = this.#known.get(folder) ?? this.#readAt(folder);
    this.#known.set(folder, known);
    return known;
  }

  async #nameAt(folder: string): Promise<string | undefined> {
    const paths = await this.#tree.paths();
    return names.find((each) => paths.has(path.posix.join(folder, each)));
  }

  async #readAt(folder: string): Promise<PathMap | undefined> {
    const name = await this.#nameAt(folder);
    return name === undefined ? undefined : this.#readFile(path.posix.join(folder, name), maxExtends);
  }

  async #readFile(file: string, depth: number): Promise<PathMap | undefined> {
    const text = await this.#tree.read(file);
    const data = text === undefined ? undefined : await readJsonWithComments(text);
    if (typeof data !== 'object' || data === null) return undefined;
    const { compilerOptions: options, extends: above } = data as Record<string, unknown>;
    const folder = path.posix.dirname(file) === '.' ? '' : path.posix.dirname(file);
    const own = mapOf(options, folder);
    if (own !== undefined || typeof above !== 'string' || !above.startsWith('.') || depth === 0) return own;
    const next = path.posix.join(folder, above);
    return this.#readFile(next.endsWith('.json') ? next : `${next}.json`, depth - 1);
  }
}

function mapOf(options: unknown, folder: string): PathMap | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  const { paths, baseUrl } = options as { paths?: unknown; baseUrl?: unknown };
  const base = typeof baseUrl === 'string' ? path.posix.join(folder, baseUrl) : undefined;
  const isMap = typeof paths === 'object' && paths !== null;
  if (!isMap && base === undefined) return undefined;
  const entries = Object.entries(isMap ? paths : {}).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((each) => typeof each === 'string'),
  );
  return { folder: base ?? folder, paths: Object.fromEntries(entries), baseFolder: base };
}

function candidatesOf({ folder, paths, baseFolder }: PathMap, specifier: string): Found {
  for (const [pattern, targets] of Object.entries(paths)) {
    const [head = '', tail] = pattern.split('*');
    const isMatch =
      tail === undefined
        ? pattern === specifier
        : specifier.startsWith(head) &&
          specifier.endsWith(tail) &&
          specifier.length >= head.length + tail.length;
    if (!isMatch) continue;
    const middle = specifier.slice(head.length, specifier.length - (tail ?? '').length);
    return {
      paths: targets.map((target) => path.posix.join(folder, target.replace('*', middle))),
      isAlias: head !== '',
      folders: targets.map((target) => path.posix.join(folder, path.posix.dirname(target))),
    };
  }
  return baseFolder === undefined ? nowhere : { ...nowhere, paths: [path.posix.join(baseFolder, specifier)] };
}
