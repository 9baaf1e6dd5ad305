import path from 'node:path';
import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { TreeView } from '../tree-view.ts';

interface IgnoreLine {
  readonly isKept: boolean;
  readonly isFolder: boolean;
  matches(name: string): boolean;
}

/** Tells which files Git would ignore in a tree: what a build makes of it is there for those who run it, but not here. */
export class IgnoredFiles {
  readonly #tree: TreeView;
  readonly #lines = new Map<string, Promise<readonly IgnoreLine[]>>();

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

  /** The last line that matches decides, the deepest file last. */
  async #isNamed(parts: readonly string[], isFolder: boolean): Promise<boolean> {
    let isIgnored = false;
    for (let depth = 0; depth < parts.length; depth += 1) {
      const below = parts.slice(depth).join('/');
      for (const line of await this.#read(parts.slice(0, depth).join('/')))
        if ((isFolder || !line.isFolder) && line.matches(below)) isIgnored = !line.isKept;
    }
    return isIgnored;
  }

  #read(folder: string): Promise<readonly IgnoreLine[]> {
    const known =
      this.#lines.get(folder) ??
      this.#tree.read(path.posix.join(folder, '.gitignore')).then((text) => readLines(text ?? ''));
    this.#lines.set(folder, known);
    return known;
  }
}

function readLines(text: string): IgnoreLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isKept = line.startsWith('!');
      const pattern = (isKept ? line.slice(1) : line).replace(/\/$/, '');
      const isAnchored = pattern.includes('/');
      return {
        isKept,
        isFolder: line.endsWith('/'),
        matches: globMatcher(isAnchored ? [pattern.replace(/^\//, '')] : [pattern, `**/${pattern}`], {
          dot: true,
        }),
      };
    });
}
