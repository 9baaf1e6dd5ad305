import { builtinModules } from 'node:module';
import path from 'node:path';
import { isFixture } from '../../change/file-kinds.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import type { Resolution } from '../resolution.ts';
import { AmbientDeclarations } from './ambient-declarations.ts';
import { type PackageManifest, PackageManifests } from './package-manifests.ts';
import { type Candidates, TypeScriptSettings } from './typescript-settings.ts';

const endings = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.d.mts',
  '.json',
  '.vue',
  '.svelte',
];
/** TypeScript code imports a `.ts` file with the extension `.js`. */
const sources: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts'],
};
const builtins = new Set(builtinModules);
/** Names that build tools resolve: `virtual:`, `~icons/…`, `file?raw`, `pkg!loader`. */
const resolvedByTools =
  /^(?:virtual:|~|data:|https?:|bun:|deno:|npm:|jsr:|cloudflare:|astro:|\$|\/)|[?!]|^@?[^/]*:/;

/** Resolves imports of JavaScript and TypeScript to files, as far as data in the repository allows. */
export class JavaScriptResolver {
  readonly #tree: TreeView;
  readonly #manifests: PackageManifests;
  readonly #settings: TypeScriptSettings;
  readonly #ambient: AmbientDeclarations;

  constructor(tree: TreeView) {
    this.#tree = tree;
    this.#manifests = new PackageManifests(tree);
    this.#settings = new TypeScriptSettings(tree);
    this.#ambient = new AmbientDeclarations(tree);
  }

  async resolve(from: string, specifier: string): Promise<Resolution> {
    const found = await this.#resolve(from, specifier);
    const leadsNowhere = found.kind === 'missing' || (found.kind === 'package' && !found.isDeclared);
    return leadsNowhere && (await this.#ambient.hasModule(specifier)) ? { kind: 'unknown' } : found;
  }

  async #resolve(from: string, specifier: string): Promise<Resolution> {
    if (/^\.\.?(?:\/|$)/.test(specifier))
      return this.#relative(path.posix.join(path.posix.dirname(from), specifier));
    if (specifier.startsWith('node:'))
      return isRuntime(specifier) ? { kind: 'runtime' } : { kind: 'nowhere' };
    if (builtins.has(specifier) || specifier === 'bun') return { kind: 'runtime' };
    const mapped = await this.#settings.candidates(from, specifier);
    for (const candidate of mapped.paths) {
      const found = await this.#fileAt(candidate);
      if (found !== undefined) return { kind: 'file', path: found };
    }
    if (mapped.paths.length > 0) return this.#lostAlias(from, specifier, mapped);
    if (specifier.startsWith('#')) return this.#inner(from, specifier);
    if (resolvedByTools.test(specifier)) return { kind: 'unknown' };
    return this.#package(from, specifier, false);
  }

  /** Resolves an alias without a file: it may be the name of a package, or one that a build tool resolves. */
  async #lostAlias(from: string, specifier: string, { paths, isAlias }: Candidates): Promise<Resolution> {
    const other: Resolution = /[?!:]|^[#~$/]/.test(specifier)
      ? { kind: 'unknown' }
      : await this.#package(from, specifier, true);
    if (other.kind !== 'unknown') return other;
    const isSure = isAlias && paths.length === 1 && !/[?!:]/.test(specifier);
    return { kind: 'missing', wanted: paths[0]!, mayBeElsewhere: !isSure };
  }

  /** Resolves `#name` by `imports` of the nearest manifest. Without that field, build tools may provide it. */
  async #inner(from: string, specifier: string): Promise<Resolution> {
    const manifest = await this.#manifests.nearest(from);
    const { imports } = manifest?.data ?? {};
    if (manifest === undefined || typeof imports !== 'object' || imports === null) return { kind: 'unknown' };
    const targets = targetsOf(imports, specifier);
    const found = await this.#filesOf(manifest.folder, targets ?? []);
    if (found !== undefined) return found;
    return { kind: targets === undefined && !generatesNames(manifest) ? 'nowhere' : 'unknown' };
  }

  /** The file that declares a name for a plain JavaScript file that does not export it: the `.d.ts` next to it, or its JSDoc. */
  async memberFile(file: string, name: string): Promise<string | undefined> {
    if (!/\.[cm]?jsx?$/.test(file)) return undefined;
    const declarations = file.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
    if ((await this.#tree.paths()).has(declarations)) return declarations;
    const text = (await this.#tree.read(file)) ?? '';
    const isDeclared =
      /@(?:typedef|callback)\b/.test(text) && new RegExp(`\\b${RegExp.escape(name)}\\b`).test(text);
    return isDeclared ? file : undefined;
  }

  hasAmbientName(name: string): Promise<boolean> {
    return this.#ambient.hasName(name);
  }

  async #relative(wanted: string): Promise<Resolution> {
    // Outside the repository.
    if (wanted.startsWith('..')) return { kind: 'unknown' };
    if (resolvedByTools.test(path.posix.basename(wanted))) return { kind: 'unknown' };
    const found = await this.#fileAt(wanted);
    if (found !== undefined) return { kind: 'file', path: found };
    // `require('..')`: a folder with a manifest resolves to the entry file in it, which may have to be built first.
    const own = await this.#manifests.at(wanted.replace(/^\.?\/?$|\/$/, ''));
    if (own === undefined) return { kind: 'missing', wanted };
    return (await this.#entryOf(own, '')) ?? { kind: 'unknown' };
  }

  async #package(from: string, specifier: string, isMapped: boolean): Promise<Resolution> {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/');
    const own = await this.#manifests.named(name);
    if (own !== undefined) {
      // The file is built with the published version that it requires, not with the code of this repository.
      if (await this.#manifests.usesPublished(from, own)) return { kind: 'package', name, isDeclared: true };
      const below = specifier.slice(name.length + 1);
      const found = await this.#entryOf(own, below);
      return found ?? { kind: !isMapped && isClosed(own, below) ? 'nowhere' : 'unknown' };
    }
    // `@/cart` cannot be the name of a package: the configuration of a tool resolves it.
    if (!/^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name)) return { kind: 'unknown' };
    if (await this.#isCommitted(from, name)) return { kind: 'unknown' };
    const isDeclared = await this.#manifests.declares(from, name);
    return isDeclared === undefined || (!isDeclared && (isMapped || (await this.#isBelowAFolder(specifier))))
      ? { kind: 'unknown' }
      : { kind: 'package', name, isDeclared };
  }

  /** Whether some folder contains this path: the configuration of a build tool may map it, and is code that is not executed. */
  async #isBelowAFolder(specifier: string): Promise<boolean> {
    if (!specifier.includes('/')) return false;
    const [file, folder] = [`/${specifier}.`, `/${specifier}/`];
    for (const each of await this.#tree.paths()) {
      const from = `/${each}`;
      if (from.includes(file) || from.includes(folder) || from.endsWith(`/${specifier}`)) return true;
    }
    return false;
  }

  /** Whether the installed package is committed to the repository, as in test fixtures. */
  async #isCommitted(from: string, name: string): Promise<boolean> {
    for (let folder = path.posix.dirname(from); ; folder = path.posix.dirname(folder)) {
      if ((await this.#manifests.at(path.posix.join(folder, 'node_modules', name))) !== undefined)
        return true;
      if (folder === '.') return false;
    }
  }

  /** The entry file of a package of this repository, or the file of a path in it; undefined if only a build creates it. */
  async #entryOf({ folder, data }: PackageManifest, below: string): Promise<Resolution | undefined> {
    const named = await this.#filesOf(folder, entriesOf(data.exports, below === '' ? '.' : `./${below}`));
    if (named !== undefined) return named;
    const usual =
      below === '' ? [data.module, data.types, data.main, 'src/index', 'index'] : [below, `src/${below}`];
    for (const target of usual.filter((each) => typeof each === 'string')) {
      const found = await this.#filesOf(folder, [target]);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The first existing file among the targets of all conditions, because it is unknown which condition applies. */
  async #filesOf(folder: string, targets: readonly string[]): Promise<Resolution | undefined> {
    const found = await Promise.all(
      targets.map(async (target) => {
        const wanted = path.posix.join(folder, target);
        return (await this.#fileAt(wanted)) ?? this.#fileAt(sourceOf(wanted));
      }),
    );
    const first = found.find((each) => each !== undefined);
    if (first === undefined) return undefined;
    // A declaration file counts as the file that it describes.
    const isOne = new Set(found.map((each) => each?.replace(/\.d\.([cm]?)ts$/, '.$1js'))).size === 1;
    return { kind: 'file', path: first, ...(isOne ? {} : { isOneOfSeveral: true }) };
  }

  async #fileAt(wanted: string): Promise<string | undefined> {
    const paths = await this.#tree.paths();
    const ending = path.posix.extname(wanted);
    const stem = wanted.slice(0, wanted.length - ending.length);
    return [
      wanted,
      ...(sources[ending] ?? []).map((source) => stem + source),
      ...endings.map((each) => wanted + each),
      ...endings.map((each) => path.posix.join(wanted, `index${each}`)),
    ].find((candidate) => paths.has(candidate));
  }
}

/** Guesses the source of a built file as in most projects: `dist/index.mjs` is built from `src/index.ts`. */
function sourceOf(built: string): string {
  const source = built.replace(/(^|\/)(?:dist|build|lib|out|esm|cjs)\/(?:(?:esm|cjs|types)\/)?/, '$1src/');
  return source === built ? source : source.replace(/(?:\.d\.[cm]?ts|\.[cm]?js)$/, '');
}

/** Whether Node.js has the module; includes modules of newer versions, and those that need an option. */
const isRuntime = (specifier: string) =>
  builtins.has(specifier) ||
  builtins.has(specifier.slice('node:'.length).split('/')[0]!) ||
  /^node:(?:quic|ffi|vfs|sea|sqlite|test|wasi|trace_events)\b/.test(specifier);

/** Whether a package uses a framework that generates names such as `#imports`. */
function generatesNames({ data }: PackageManifest): boolean {
  return /"(?:nuxt\w*|nitro\w*|@nuxt\/[\w-]+)":/.test(JSON.stringify(data));
}

/** Whether `exports` of a package of this repository rules out a path. */
function isClosed({ folder, data }: PackageManifest, below: string): boolean {
  const { exports } = data;
  if (isFixture(`${folder}/`) || data.typesVersions !== undefined) return false;
  if (typeof exports !== 'object' || exports === null || below === '') return false;
  const keys = Object.keys(exports);
  return keys.some((key) => key.startsWith('.')) && targetsOf(exports, `./${below}`) === undefined;
}

/** The files in `exports` of a manifest for a path, for all conditions. */
function entriesOf(exports: unknown, wanted: string): string[] {
  if (typeof exports === 'string') return wanted === '.' ? [exports] : [];
  if (typeof exports !== 'object' || exports === null) return [];
  const isByPath = Object.keys(exports).some((key) => key.startsWith('.'));
  if (!isByPath) return wanted === '.' ? textsIn(exports) : [];
  return targetsOf(exports, wanted) ?? [];
}

/** The targets of a path in a table of paths, some with `*`; undefined if no entry matches. */
function targetsOf(table: object, wanted: string): string[] | undefined {
  const entries = Object.entries(table);
  const exact = entries.find(([key]) => key === wanted);
  if (exact !== undefined) return textsIn(exact[1]);
  for (const [key, target] of entries) {
    const [head = '', tail] = key.split('*');
    if (tail === undefined || !wanted.startsWith(head) || !wanted.endsWith(tail)) continue;
    const middle = wanted.slice(head.length, wanted.length - tail.length);
    return textsIn(target).map((text) => text.replaceAll('*', middle));
  }
  return undefined;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
