import path from 'node:path';
import type { TreeView } from '../../repository/tree-view.ts';
import type { ImportResolver } from '../language.ts';
import type { Resolution } from '../resolution.ts';

interface Module {
  readonly name: string;
  readonly folder: string;
}

/** Finds packages by the module paths of the repository. A package stands for itself by its first file. */
export class GoResolver implements ImportResolver {
  readonly #tree: TreeView;
  #modules: Promise<readonly Module[]> | undefined;
  #packages: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  async resolve(_from: string, specifier: string): Promise<Resolution> {
    this.#modules ??= this.#readModules();
    const modules = await this.#modules;
    const own = modules
      .filter(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
      .sort((a, b) => b.name.length - a.name.length)[0];
    if (own === undefined) {
      const isRuntime = !specifier.split('/')[0]!.includes('.');
      return isRuntime ? { kind: 'runtime' } : { kind: 'unknown' };
    }
    const folder = path.posix.join(own.folder, specifier.slice(own.name.length + 1));
    const [first] = (await this.#filesIn(folder)).filter((file) => !file.endsWith('_test.go'));
    return first === undefined ? { kind: 'missing' } : { kind: 'file', path: first };
  }

  /** The files of one package share their names. Tests see those of the others, which do not see theirs. */
  async unit(file: string): Promise<readonly string[]> {
    const files = await this.#filesIn(path.posix.dirname(file));
    return file.endsWith('_test.go') ? files : files.filter((each) => !each.endsWith('_test.go'));
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
        const name = /^module\s+"?([^\s"]+)/m.exec((await this.#tree.read(file)) ?? '')?.[1];
        return name === undefined ? [] : [{ name, folder: path.posix.dirname(file) }];
      }),
    );
    return modules.flat();
  }
}
