import path from 'node:path';
import semver from 'semver';
import type { TreeView } from '../../repository/tree-view.ts';

export interface PackageManifest {
  /** Where it is; empty for the root. */
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

/** Beside `workspaces` of a manifest, what makes packages of one repository use each other as they are. */
const workspaceFiles = ['pnpm-workspace.yaml', 'lerna.json', 'rush.json'];
const denoFiles = ['deno.json', 'deno.jsonc', 'import_map.json'];

export function packagesNamed(file: string, line: string): string[] {
  if (path.posix.basename(file) !== 'package.json') return [];
  return [...line.matchAll(/"([^"\s]+)"\s*:/g)].map(([, name]) => name!);
}

/** The `package.json` files of a tree, each read when it is asked for. */
export class PackageManifests {
  readonly #tree: TreeView;
  readonly #read = new Map<string, Promise<PackageManifest | undefined>>();
  #named: Promise<ReadonlyMap<string, PackageManifest>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** The package of this repository that has the name. */
  async named(name: string): Promise<PackageManifest | undefined> {
    this.#named ??= this.#readAll();
    return (await this.#named).get(name);
  }

  /** Whether a manifest at or above the file names the package; undefined where there is no manifest at all, or one of another kind. */
  async declares(file: string, name: string): Promise<boolean | undefined> {
    let isAny = false;
    const paths = await this.#tree.paths();
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      // Programs for Deno name their packages elsewhere, also by addresses.
      if (denoFiles.some((name) => paths.has(path.posix.join(folder, name)))) return undefined;
      const manifest = await this.at(folder === '.' ? '' : folder);
      if (manifest !== undefined) {
        isAny = true;
        if (isNamedIn(manifest, name) || isNamedIn(manifest, typesOf(name))) return true;
      }
      if (folder === '.') return isAny ? false : undefined;
    }
  }

  /** Whether a file gets a package of this repository from elsewhere: it asks for another version, or nothing links the two. */
  async takesPublished(file: string, { folder: own, data }: PackageManifest): Promise<boolean> {
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

  /** The manifest of the package that a file is part of. */
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
      return undefined; // as good as none
    }
  }
}

/** The versions of a package that a manifest asks for, as it writes them. */
function rangesIn({ data }: PackageManifest, name: string): string[] {
  const given = lists.map((list) => (data[list] as Record<string, unknown> | undefined)?.[name]);
  return given.filter((range) => typeof range === 'string').map((range) => range.trim());
}

/** Also the program that a package is made for, which gives itself: `engines` of an extension names its editor. */
function isNamedIn({ data }: PackageManifest, name: string): boolean {
  if (Object.hasOwn(Object(data.engines), name)) return true;
  return lists.some((list) => {
    const given = data[list];
    if (Array.isArray(given)) return given.includes(name);
    return typeof given === 'object' && given !== null && Object.hasOwn(given, name);
  });
}

const typesOf = (name: string) => `@types/${name.replace(/^@([^/]+)\//, '$1__')}`;
