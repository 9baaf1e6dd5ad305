import type { TreeView } from '../repository/tree-view.ts';
import type { Change } from './change.ts';

/** A tree with the files of a change only, for a change without a repository. */
export function treeOfChange({ files }: Change, side: 'base' | 'head'): TreeView {
  const present =
    side === 'head'
      ? new Map(files.filter(({ kind }) => kind !== 'deleted').map((file) => [file.path, file]))
      : new Map(
          files.filter(({ kind }) => kind !== 'added').map((file) => [file.oldPath ?? file.path, file]),
        );
  return {
    revision: null,
    paths: async () => new Set(present.keys()),
    read: async (path) => (side === 'head' ? present.get(path)?.newText() : present.get(path)?.oldText()),
    links: async () => new Set(),
    missing: async () => [],
    findWords: async () => ({ places: [], isWhole: false }),
    findLines: async () => ({ lines: [], isWhole: false }),
    close: async () => {},
  };
}
