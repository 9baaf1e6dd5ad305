import type { TreeView } from '../src/reviewer/repository/tree-view.ts';
import type { ChangeSides } from '../src/reviewer/rule-source.ts';
import { changeOf, type Versions } from './change-of-versions.ts';

/** Both sides of a change made of texts, in a repository with these other files. */
export function sidesOf(versions: Versions, around: Record<string, string> = {}): ChangeSides {
  const side = (index: 0 | 1) => {
    const files = new Map(Object.entries(around));
    for (const [path, [before, after, oldPath]] of Object.entries(versions)) {
      const text = index === 0 ? before : after;
      if (text !== null) files.set(index === 0 ? (oldPath ?? path) : path, text);
    }
    return treeOf(files);
  };
  return { change: changeOf(versions), base: side(0), head: side(1), hasRepository: true };
}

function treeOf(files: ReadonlyMap<string, string>): TreeView {
  const findLines = async (texts: readonly string[]) => {
    const lines = [...files].flatMap(([path, content]) =>
      content
        .split('\n')
        .flatMap((text, index) =>
          texts.some((each) => text.includes(each)) ? [{ path, line: index + 1, text }] : [],
        ),
    );
    return { lines, isWhole: true };
  };
  return {
    revision: null,
    paths: async () => new Set(files.keys()),
    links: async () => new Set(),
    read: async (path) => files.get(path),
    missing: async () => [],
    findWords: async () => ({ places: [], isWhole: true }),
    findLines,
    close: async () => {},
  };
}
