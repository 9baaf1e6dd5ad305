import path from 'node:path';
import type { TreeView } from '../../repository/tree-view.ts';
import type { ImportResolver } from '../language.ts';
import type { Resolution } from '../resolution.ts';
import { PythonManifests } from './python-manifests.ts';
import { runtimeModules } from './runtime-modules.ts';

/** Folders that are often put on the path. */
const usualRoots = ['', 'src', 'lib', 'python'];

/** Finds the files of modules: packages of the repository, and relative imports. */
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

  /** A module of others: of the language, or of a distribution that a manifest names. */
  async #foreign(from: string, name: string): Promise<Resolution> {
    if (runtimeModules.has(name)) return { kind: 'runtime' };
    // It may be put on the path from anywhere, or be made of another language.
    this.#names ??= this.#tree.paths().then(namesIn);
    if ((await this.#names).has(name)) return { kind: 'unknown' };
    const provided = await this.#manifests.modulesFor(from);
    if (provided === undefined) return { kind: 'unknown' };
    return { kind: 'package', name, isDeclared: provided.has(name) };
  }

  /** `from package import module`: a name of a package may be a file of it. */
  async memberFile(file: string, name: string): Promise<string | undefined> {
    if (!/(?:^|\/)__init__\.pyi?$/.test(file)) return undefined;
    const wanted = path.posix.join(path.posix.dirname(file), name);
    // A folder without `__init__.py` is one as well; what is in it nobody says.
    return (await this.#fileOf(wanted)) ?? ((await this.#isFolder(wanted)) ? wanted : undefined);
  }

  async #below(from: string, root: string, names: readonly string[]): Promise<Resolution> {
    const wanted = path.posix.join(root, ...names);
    const found = await this.#fileOf(wanted);
    const stub = found?.replace(/\.py$/, '.pyi');
    // Stubs are read with stubs.
    if (from.endsWith('.pyi') && stub !== undefined && (await this.#tree.paths()).has(stub))
      return { kind: 'file', path: stub };
    if (found !== undefined) return { kind: 'file', path: found };
    // A folder without __init__.py is a package, too, whose parts may be anywhere.
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

  /** What is asked of a file, as of six.moves, is made while it runs; parts of some packages may be anywhere. */
  async #isOpen(file: string): Promise<boolean> {
    if (!/(?:^|\/)__init__\.pyi?$/.test(file)) return true;
    return /^__path__\b|\bdeclare_namespace\(/m.test((await this.#tree.read(file)) ?? '');
  }

  /** Where packages may begin, as seen from a file: above the outermost folder with an `__init__.py`, and the usual places. */
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

/** What a module can be: Python, its stubs, or something that is compiled. */
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

/** Folders that have modules somewhere below. */
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

/** Every name that a folder or file has, without its ending. */
function namesIn(paths: ReadonlySet<string>): Set<string> {
  return new Set([...paths].flatMap((file) => file.split('/').map((part) => part.replace(/\..*$/, ''))));
}
