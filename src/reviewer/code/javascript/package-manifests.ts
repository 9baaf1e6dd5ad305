import path from 'node:path';
import semver from 'semver';
import type { TreeView } from '../../repository/tree-view.ts';

export interface PackageManifest {
  /** Its folder; empty for the root. */
  readonly folder: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const lists = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
  'bundledDependencies',
  'bundleDependencies',
];

/** Files that link the packages of a repository to each other, like `workspaces` in a manifest. */
const workspaceFiles = ['pnpm-workspace.yaml', 'lerna.json', 'rush.json'];
const denoFiles = ['deno.json', 'deno.jsonc', 'import_map.json'];

export function packagesNamed(file: string, line: string): string[] {
  if (path.posix.basename(file) !== 'package.json') return [];
  return [...line.matchAll(/"([^"\s]+)"\s*:/g)].map(([, name]) => name!);
}

/** The `package.json` files of a tree, each parsed on demand. */
export class PackageManifests {
  readonly #tree: TreeView;
  readonly #read = new Map<string, Promise<PackageManifest | undefined>>();
  #named: Promise<ReadonlyMap<string, PackageManifest>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** The package of this repository with the name; undefined if there is none. */
  async named(name: string): Promise<PackageManifest | undefined> {
    this.#named ??= this.#readAll();
    return (await this.#named).get(name);
  }

  /** Whether a manifest at or above the file lists the package; undefined if there is no manifest, or one of Deno. */
  async declares(file: string, name: string): Promise<boolean | undefined> {
    let isAny = false;
    const paths = await this.#tree.paths();
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      // Deno programs declare their packages elsewhere, also by URL.
      if (denoFiles.some((name) => paths.has(path.posix.join(folder, name)))) return undefined;
      const manifest = await this.at(folder === '.' ? '' : folder);
      if (manifest !== undefined) {
        isAny = true;
        if (isNamedIn(manifest, name) || isNamedIn(manifest, typesOf(name))) return true;
      }
      if (folder === '.') return isAny ? false : undefined;
    }
  }

  /** Whether a file uses a published version of a package in this repository: it requires another one, or nothing links both. */
  async usesPublished(file: string, { folder: own, data }: PackageManifest): Promise<boolean> {
    let ranges: string[] = [];
    let isLinking = false;
    const paths = await this.#tree.paths();
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      const manifest = await this.at(folder === '.' ? '' : folder);
      if (manifest?.folder === own && ranges.length === 0) return false;
      if (ranges.length === 0 && manifest !== undefined) ranges = rangesIn(manifest, String(data.name));
      isLinking ||=
        manifest?.data.workspaces !== undefined ||
        workspaceFiles.some((name) => paths.has(path.posix.join(folder, name)));
      if (folder === '.') break;
    }
    const isOwn = (range: string) =>
      /^(?:(?:workspace|file|link|portal):|\*?$)/.test(range) ||
      (isLinking && semver.satisfies(String(data.version), range, { includePrerelease: true }));
    return ranges.length > 0 && !ranges.some(isOwn);
  }

  /** The manifest of the package that contains a file; undefined if there is none. */
  async nearest(file: string): Promise<PackageManifest | undefined> {
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      const found = await this.at(folder === '.' ? '' : folder);
      if (found !== undefined || folder === '.') return found;
    }
  }

  async #readAll(): Promise<ReadonlyMap<string, PackageManifest>> {
    const found = new Map<string, PackageManifest>();
    for (const file of await this.#tree.paths()) {
      if (path.posix.basename(file) !== 'package.json' || file.includes('node_modules/')) continue;
      const manifest = await this.at(file === 'package.json' ? '' : path.posix.dirname(file));
      const name = manifest?.data.name;
      if (typeof name === 'string' && !found.has(name)) found.set(name, manifest!);
    }
    return found;
  }

  /** The manifest in a folder; empty for the root. */
  at(folder: string): Promise<PackageManifest | undefined> {
    const known = this.#read.get(folder) ?? this.#readAt(folder);
    this.#read.set(folder, known);
    return known;
  }

  async #readAt(folder: string): Promise<PackageManifest | undefined> {
    const text = await this.#tree.read(path.posix.join(folder, 'package.json'));
    if (text === undefined) return undefined;
    try {
      const data: unknown = JSON.parse(text);
      return typeof data === 'object' && data !== null
        ? { folder, data: data as PackageManifest['data'] }
        : undefined;
    } catch {
      return undefined; // an invalid manifest counts as missing
    }
  }
}

/** The version ranges of a package in a manifest, as written. */
function rangesIn({ data }: PackageManifest, name: string): string[] {
  const given = lists.map((list) => (data[list] as Record<string, unknown> | undefined)?.[name]);
  return given.filter((range) => typeof range === 'string').map((range) => range.trim());
}

/** Whether a manifest lists a package. `engines` counts too: the editor there provides its own module to an extension. */
function isNamedIn({ data }: PackageManifest, name: string): boolean {
  if (Object.hasOwn(Object(data.engines), name)) return true;
  return lists.some((list) => {
    const given = data[list];
    if (Array.isArray(given)) return given.includes(name);
    return typeof given === 'object' && given !== null && Object.hasOwn(given, name);
  });
}

const typesOf = (name: string) => `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
