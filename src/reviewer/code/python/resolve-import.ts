import path from 'node:path';
import type { TreeView } from '../../repository/tree-view.ts';
import type { ImportResolver } from '../language.ts';
import type { Resolution } from '../resolution.ts';
import { PythonManifests } from './python-manifests.ts';
import { runtimeModules } from './runtime-modules.ts';

/** Folders that are often on the import path. */
const usualRoots = ['', 'src', 'lib', 'python'];

/** Resolves imports to files: absolute ones of packages in the repository, and relative ones. */
export class PythonResolver implements ImportResolver {
  readonly #tree: TreeView;
  readonly #manifests: PythonManifests;
  #folders: Promise<ReadonlySet<string>> | undefined;
  #names: Promise<ReadonlySet<string>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
    this.#manifests = new PythonManifests(tree);
  }

  async resolve(from: string, specifier: string): Promise<Resolution> {
    const dots = /^\.*/.exec(specifier)![0].length;
    const names = specifier
      .slice(dots)
      .split('.')
      .filter((name) => name !== '');
    if (dots > 0) {
      let folder = path.posix.dirname(from);
      for (let level = 1; level < dots; level += 1) folder = path.posix.dirname(folder);
      return this.#below(from, folder, names);
    }
    for (const root of await this.#rootsOf(from)) {
      if (!(await this.#isThere(path.posix.join(root, names[0]!)))) continue;
      return this.#below(from, root, names);
    }
    return this.#foreign(from, names[0]!);
  }

  /** Resolves a module outside the repository: of Python itself, or of a distribution in a manifest. */
  async #foreign(from: string, name: string): Promise<Resolution> {
    if (runtimeModules.has(name)) return { kind: 'runtime' };
    // Any folder may be put on the import path, and a file in another language may be compiled to a module.
    this.#names ??= this.#tree.paths().then(namesIn);
    if ((await this.#names).has(name)) return { kind: 'unknown' };
    const provided = await this.#manifests.modulesFor(from);
    if (provided === undefined) return { kind: 'unknown' };
    return { kind: 'package', name, isDeclared: provided.has(name) };
  }

  /** `from package import module`: a name of a package may be a submodule. */
  async memberFile(file: string, name: string): Promise<string | undefined> {
    if (!/(?:^|\/)__init__\.pyi?$/.test(file)) return undefined;
    const wanted = path.posix.join(path.posix.dirname(file), name);
    // A folder without `__init__.py` is a submodule as well; its names are unknown.
    return (await this.#fileOf(wanted)) ?? ((await this.#isFolder(wanted)) ? wanted : undefined);
  }

  async #below(from: string, root: string, names: readonly string[]): Promise<Resolution> {
    const wanted = path.posix.join(root, ...names);
    const found = await this.#fileOf(wanted);
    const stub = found?.replace(/\.py$/, '.pyi');
    // Stubs import stubs.
    if (from.endsWith('.pyi') && stub !== undefined && (await this.#tree.paths()).has(stub))
      return { kind: 'file', path: stub };
    if (found !== undefined) return { kind: 'file', path: found };
    // A folder without `__init__.py` is a namespace package, whose parts may be anywhere.
    if (await this.#isFolder(wanted)) return { kind: 'unknown' };
    let mayBeElsewhere: boolean | undefined;
    for (let length = names.length - 1; length > 0; length -= 1) {
      const folder = path.posix.join(root, ...names.slice(0, length));
      const above = await this.#fileOf(folder);
      if (above !== undefined && (await this.#isOpen(above))) return { kind: 'unknown' };
      if (above !== undefined || (await this.#isFolder(folder))) mayBeElsewhere ??= above === undefined;
    }
    return { kind: 'missing', wanted, mayBeElsewhere: mayBeElsewhere === true };
  }

  /** Whether a module may have unknown submodules: created at run time, as `six.moves`, or as parts of a namespace package. */
  async #isOpen(file: string): Promise<boolean> {
    if (!/(?:^|\/)__init__\.pyi?$/.test(file)) return true;
    return /^__path__\b|\bdeclare_namespace\(/m.test((await this.#tree.read(file)) ?? '');
  }

  /** The roots of absolute imports in a file: the folder above its top-level package, and the usual ones. */
  async #rootsOf(file: string): Promise<string[]> {
    const paths = await this.#tree.paths();
    let folder = path.posix.dirname(file);
    while (folder !== '.' && paths.has(path.posix.join(folder, '__init__.py')))
      folder = path.posix.dirname(folder);
    return [...new Set([folder === '.' ? '' : folder, ...usualRoots])];
  }

  async #isThere(wanted: string): Promise<boolean> {
    return (await this.#fileOf(wanted)) !== undefined || this.#isFolder(wanted);
  }

  async #isFolder(wanted: string): Promise<boolean> {
    this.#folders ??= this.#tree.paths().then(foldersOf);
    return (await this.#folders).has(wanted);
  }

  async #fileOf(wanted: string): Promise<string | undefined> {
    const paths = await this.#tree.paths();
    return fileEndings.map((ending) => wanted + ending).find((candidate) => paths.has(candidate));
  }
}

/** The files that a module can be: Python, stubs, or sources of compiled modules. */
const fileEndings = [
  '/__init__.py',
  '.py',
  '/__init__.pyi',
  '.pyi',
  '.pyx',
  '.pxd',
  '.c',
  '.cc',
  '.cpp',
  '.rs',
];

/** All folders that contain modules, at any depth. */
function foldersOf(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of paths) {
    if (!/\.pyi?$/.test(file)) continue;
    for (
      let folder = path.posix.dirname(file);
      folder !== '.' && !folders.has(folder);
      folder = path.posix.dirname(folder)
    )
      folders.add(folder);
  }
  return folders;
}

/** The names of all folders and files, without extensions. */
function namesIn(paths: ReadonlySet<string>): Set<string> {
  return new Set([...paths].flatMap((file) => file.split('/').map((part) => part.replace(/\..*$/, ''))));
}
