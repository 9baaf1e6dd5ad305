import path from 'node:path';
import type { TreeView } from '../tree-view.ts';
import { type PathPattern, readPatterns } from './ignore-list.ts';

/** Decides which files Git would ignore in a tree: a build may create them, so they can exist elsewhere but not here. */
export class IgnoredFiles {
  readonly #tree: TreeView;
  readonly #lines = new Map<string, Promise<readonly PathPattern[]>>();

  constructor(tree: TreeView) {
    this.#tree = tree;
  }

  /** Whether the file, or a folder that it would be in, is ignored. */
  async isIgnored(file: string): Promise<boolean> {
    const parts = file.split('/');
    for (let depth = 1; depth <= parts.length; depth += 1)
      if (await this.#isNamed(parts.slice(0, depth), depth < parts.length)) return true;
    return false;
  }

  /** The last line that matches decides; the `.gitignore` in the deepest folder is read last. */
  async #isNamed(parts: readonly string[], isFolder: boolean): Promise<boolean> {
    let isIgnored = false;
    for (let depth = 0; depth < parts.length; depth += 1) {
      const below = parts.slice(depth).join('/');
      for (const line of await this.#read(parts.slice(0, depth).join('/')))
        if ((isFolder || !line.isForFolders) && line.matches(below)) isIgnored = !line.isNegated;
    }
    return isIgnored;
  }

  #read(folder: string): Promise<readonly PathPattern[]> {
    const known =
      this.#lines.get(folder) ??
      this.#tree
        .read(path.posix.join(folder, '.gitignore'))
        .then((text) => readPatterns((text ?? '').split('\n')));
    this.#lines.set(folder, known);
    return known;
  }
}
