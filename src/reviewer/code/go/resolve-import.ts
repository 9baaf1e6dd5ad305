import path from 'node:path';
import type { TreeView } from '../../repository/tree-view.ts';
import type { ImportResolver } from '../language.ts';
import type { Resolution } from '../resolution.ts';

interface Module {
  readonly name: string;
  readonly folder: string;
  /** The modules that it requires or replaces. */
  readonly required: readonly string[];
  /** The modules that it replaces by local folders. */
  readonly local: readonly string[];
}

/** Resolves packages by the module paths of the repository. A package is represented by its first file. */
export class GoResolver implements ImportResolver {
  readonly #tree: TreeView;
  #modules: Promise<readonly Module[]> | undefined;
  /** By test file, whether it belongs to an external test package (`shop_test`). */
  readonly #apart = new Map<string, Promise<boolean>>();
  #packages: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  async resolve(from: string, specifier: string): Promise<Resolution> {
    this.#modules ??= this.#readModules();
    const modules = await this.#modules;
    const own = modules
      .filter(({ name }) => isWithin(specifier, name))
      .sort((a, b) => b.name.length - a.name.length)[0];
    if (own === undefined) {
      const found = foreignPackage(modules, from, specifier);
      const isVendored = (await this.#filesIn(path.posix.join('vendor', specifier))).length > 0;
      return found.kind === 'nowhere' && isVendored ? { kind: 'unknown' } : found;
    }
    const asking = moduleOf(modules, from);
    const isPublished =
      asking !== undefined &&
      asking !== own &&
      asking.required.includes(own.name) &&
      !asking.local.includes(own.name) &&
      !(await this.#tree.paths()).has('go.work');
    // The module is built with the published version that it requires, not with the code of this repository.
    if (isPublished) return { kind: 'package', name: specifier, isDeclared: true };
    const folder = path.posix.join(own.folder, specifier.slice(own.name.length + 1));
    const [first] = (await this.#filesIn(folder)).filter((file) => !isTest(file));
    if (first !== undefined) return { kind: 'file', path: first };
    // A subfolder may be a module of its own in another repository.
    const isApart = modules.some(({ required }) =>
      required.some((name) => name.length > own.name.length && isWithin(specifier, name)),
    );
    return isApart
      ? { kind: 'package', name: specifier, isDeclared: true }
      : { kind: 'missing', wanted: folder };
  }

  /**
   * The files of one package share their names. Test files see the names of the other files, but not the reverse. Files of an
   * external test package (`shop_test`) only see each other.
   */
  async unit(file: string): Promise<readonly string[]> {
    const files = await this.#filesIn(path.posix.dirname(file));
    if (!isTest(file)) return files.filter((each) => !isTest(each));
    const isApart = await this.#isApart(file);
    const alike = await Promise.all(
      files.map(async (each) => (isTest(each) ? (await this.#isApart(each)) === isApart : !isApart)),
    );
    return files.filter((_, index) => alike[index]);
  }

  #isApart(test: string): Promise<boolean> {
    const known =
      this.#apart.get(test) ??
      this.#tree.read(test).then((text) => /^package\s+\w+_test\b/m.test(text ?? ''));
    this.#apart.set(test, known);
    return known;
  }

  async #filesIn(folder: string): Promise<readonly string[]> {
    this.#packages ??= this.#tree
      .paths()
      .then((paths) =>
        Map.groupBy([...paths].filter((file) => file.endsWith('.go')).sort(), path.posix.dirname),
      );
    return (await this.#packages).get(folder === '' ? '.' : folder) ?? [];
  }

  async #readModules(): Promise<readonly Module[]> {
    const files = [...(await this.#tree.paths())].filter((file) => path.posix.basename(file) === 'go.mod');
    const modules = await Promise.all(
      files.map(async (file): Promise<Module[]> => {
        const text = (await this.#tree.read(file)) ?? '';
        const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
        if (name === undefined) return [];
        const local = [...text.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s+=>\s+\.{1,2}\//gm)].map(
          ([, replaced]) => replaced!,
        );
        return [{ name, folder: path.posix.dirname(file), required: requiredBy(text), local }];
      }),
    );
    return modules.flat();
  }
}

/** The first path segments of the packages of Go itself, of TinyGo and of App Engine. */
const runtimePackages = new Set(
  'C appengine archive arena bufio builtin bytes cmd cmp compress container context crypto database debug device embed encoding errors expvar flag fmt go hash html image index internal io iter log machine maps math mime net os path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time tinygo unicode unique unsafe uuid vendor weak'.split(
    ' ',
  ),
);

const isTest = (file: string) => file.endsWith('_test.go');

const isWithin = (specifier: string, module: string) =>
  specifier === module || specifier.startsWith(`${module}/`);

/** The module paths of `require` and `replace`, in blocks or on single lines; comments are removed. */
function requiredBy(text: string): string[] {
  const found: string[] = [];
  let block: string | undefined;
  for (const line of text.split('\n').map((each) => each.replace(/\/\/.*/, '').trim())) {
    const [first = '', second = ''] = line.split(/\s+/);
    if (line === ')') block = undefined;
    else if (second === '(') block = first;
    else if (/^(?:require|replace)$/.test(block ?? '')) found.push(first);
    else if (/^(?:require|replace)$/.test(first)) found.push(second);
  }
  return found.map((name) => name.replaceAll('"', '')).filter((name) => name !== '');
}

/** The innermost module that contains a file; undefined if there is none. */
function moduleOf(modules: readonly Module[], file: string): Module | undefined {
  const holds = ({ folder }: Module) => folder === '.' || file.startsWith(`${folder}/`);
  const depth = ({ folder }: Module) => (folder === '.' ? 0 : folder.length);
  return modules.filter(holds).sort((a, b) => depth(b) - depth(a))[0];
}

/** Resolves a package that is not in the repository, by the manifest of the module that contains the file. */
function foreignPackage(modules: readonly Module[], from: string, specifier: string): Resolution {
  const [first] = specifier.split('/') as [string];
  if (runtimePackages.has(first)) return { kind: 'runtime' };
  const module = moduleOf(modules, from);
  if (module === undefined) return { kind: 'unknown' };
  const isDeclared = module.required.some((name) => isWithin(specifier, name));
  // A path without a dot in its first segment is part of Go, or of a module that a manifest replaces by a folder.
  if (!first.includes('.') && !isDeclared) return { kind: modules.length === 1 ? 'nowhere' : 'unknown' };
  return { kind: 'package', name: specifier, isDeclared };
}
