import type { TreeView } from '../repository/tree-view.ts';
import type { Change } from './change.ts';

/** The files of a change as a tree, where there is no repository behind it. */
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
