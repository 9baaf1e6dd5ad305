import { readPattern } from '../repository/trees/ignore-list.ts';
import { below, foldersAbove, type SettingsFile } from './settings-files.ts';

export const attributesFile = '.gitattributes';

interface Line {
  readonly matches: (path: string) => boolean;
  /** Whether the line sets the attribute, rather than unsetting it. */
  readonly isGenerated: boolean;
  readonly attribute: string;
}

const attributes = ['linguist-generated', 'linguist-vendored'] as const;

/** Returns a test whether `.gitattributes` marks a file as generated or vendored; the last line of the nearest file decides. */
export function generatedByAttributes(files: readonly SettingsFile[]): (path: string) => boolean {
  const byFolder = new Map(files.map(({ folder, text }) => [folder, text.split('\n').flatMap(readLine)]));
  if (byFolder.size === 0) return () => false;
  return (path) =>
    attributes.some((attribute) => {
      for (const folder of foldersAbove(path)) {
        const last = byFolder
          .get(folder)
          ?.findLast((line) => line.attribute === attribute && line.matches(below(folder, path)));
        if (last !== undefined) return last.isGenerated;
      }
      return false;
    });
}

function readLine(line: string): Line[] {
  const found = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s+(.*)$/.exec(line);
  if (found === null) return [];
  const [, quoted, bare, words = ''] = found;
  const pattern = readPattern(quoted?.replace(/\\(.)/g, '$1') ?? bare!);
  // Attributes of a folder do not apply to the files in it.
  if (pattern === undefined || pattern.isNegated || pattern.isForFolders) return [];
  return words.split(/\s+/).flatMap((word) => {
    const [, sign = '', attribute = '', value] = /^([-!]?)([\w-]+)(?:=(.*))?$/.exec(word) ?? [];
    if (!attributes.some((known) => known === attribute)) return [];
    const isGenerated = sign === '' && (value === undefined || value === 'true' || value === '1');
    return [{ matches: pattern.matches, attribute, isGenerated }];
  });
}
