import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { FoundLine, TreeView } from '../tree-view.ts';

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A tree in which the texts of some files are replaced; null for a deleted file. Nothing is written anywhere. */
export function overlayTree(below: TreeView, texts: ReadonlyMap<string, string | null>): TreeView {
  const isBelow = ({ path }: { readonly path: string }) => !texts.has(path);
  const own = [...texts].filter((entry): entry is [string, string] => entry[1] !== null);

  /** The matches that Git would find in the texts, in the order of the lines. */
  function search(wanted: RegExp, pathspecs: readonly string[]): (FoundLine & { readonly found: string })[] {
    const isSelected = pathspecs.length === 0 ? () => true : pathspecTest(pathspecs);
    return own
      .filter(([path]) => isSelected(path))
      .flatMap(([path, content]) =>
        content
          .split('\n')
          .flatMap((text, index) =>
            [...text.matchAll(wanted)].map(([found]) => ({ path, line: index + 1, text, found })),
          ),
      );
  }

  let named: Promise<ReadonlySet<string>> | undefined;
  async function listPaths(): Promise<ReadonlySet<string>> {
    const paths = new Set(await below.paths());
    for (const [path, text] of texts)
      if (text === null) paths.delete(path);
      else paths.add(path);
    return paths;
  }

  return {
    revision: below.revision,
    // Cached, because every resolved import needs it.
    paths: () => (named ??= listPaths()),
    links: () => below.links(),
    missing: async () => (await below.missing()).filter((path) => !texts.has(path)),
    async read(path, maxBytes) {
      return texts.has(path) ? (texts.get(path) ?? undefined) : below.read(path, maxBytes);
    },
    async findWords(words, pathspecs = []) {
      const { places, isWhole } = await below.findWords(words, pathspecs);
      if (words.length === 0) return { places, isWhole };
      const wanted = new RegExp(`(?<!\\w)(?:${words.map(escaped).join('|')})(?!\\w)`, 'g');
      const found = search(wanted, pathspecs).map(({ path, line, found: word }) => ({ path, line, word }));
      return { places: [...places.filter(isBelow), ...found], isWhole };
    },
    async findLines(given, how = {}) {
      const { lines, isWhole } = await below.findLines(given, how);
      const wanted = given.filter((text) => text !== '' && !/[\n\0]/.test(text)).map(escaped);
      if (wanted.length === 0) return { lines, isWhole };
      const [before, after] = how.asWords === true ? ['(?<!\\w)', '(?!\\w)'] : ['', ''];
      const pattern = new RegExp(
        `^.*${before}(?:${wanted.join('|')})${after}.*$`,
        how.ignoresCase ? 'gi' : 'g',
      );
      const found = search(pattern, how.pathspecs ?? []).map(({ path, line, text }) => ({
        path,
        line,
        text,
      }));
      return { lines: [...lines.filter(isBelow), ...found], isWhole };
    },
    close: async () => {},
  };
}

/** Returns a test for paths as in Git: without `:(glob)`, a star also matches slashes. */
function pathspecTest(pathspecs: readonly string[]): (path: string) => boolean {
  return globMatcher(
    pathspecs.flatMap((spec) => {
      const glob = spec.replace(/^:\(glob\)/, '');
      return glob.startsWith('*.') ? [glob, `**/${glob}`] : [glob];
    }),
    { dot: true },
  );
}
