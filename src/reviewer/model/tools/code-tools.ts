import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { definesName } from '../../code/by-name.ts';
import { distanceOf, pathspecsOf, referencesTo } from '../context/references.ts';
import { CleanTexts } from '../context/snippet.ts';
import { blockAt } from '../context/used-definitions.ts';
import { asPath, nothingFound, type ToolPlace } from './tool-place.ts';

interface NamedInput {
  readonly name: string;
  readonly path?: string | null | undefined;
}

const maxDefinitions = 5;
const maxLines = 60;
const maxPlaces = 100;
const maxWidth = 400;

/** The lines that define the name, those nearest to the path first. */
async function definitionsOf({ name, path }: NamedInput, { tree }: ToolPlace) {
  const last = name.split(/\.|::|->|#/).at(-1)!;
  const from = path == null ? null : asPath(path);
  const pathspecs = from === null ? [] : pathspecsOf(from);
  const { lines } = await tree.findLines([last], { asWords: true, pathspecs });
  const known = await tree.paths();
  return lines
    .filter((each) => known.has(each.path) && definesName(each.text.slice(0, maxWidth), last))
    .sort((a, b) => (from === null ? 0 : distanceOf(a.path, from) - distanceOf(b.path, from)));
}

export async function findDefinition(given: NamedInput, place: ToolPlace): Promise<string[]> {
  const texts = new CleanTexts(place.tree);
  const found = await definitionsOf(given, place);
  const shown: string[] = [];
  for (const { path, line } of found.slice(0, maxDefinitions)) {
    const block = await blockAt(path, line, texts);
    const range = { ...block, endLine: Math.min(block.endLine, block.startLine + maxLines - 1) };
    const snippet = await texts.snippet(path, range, '');
    if (snippet !== undefined) shown.push(...snippet.text.split('\n'), '');
  }
  const more =
    found.length > maxDefinitions ? [`… and ${found.length - maxDefinitions} more definitions`] : [];
  return shown.length === 0 ? [nothingFound] : [...shown, ...more];
}

/** Finds the uses of a name; those that import it from the defining file come first, as far as imports tell. */
export async function findUses(given: NamedInput, place: ToolPlace): Promise<string[]> {
  const last = given.name.split(/\.|::|->|#/).at(-1)!;
  const named = given.path == null ? null : asPath(given.path);
  const path = named ?? (await definitionsOf(given, place))[0]?.path;
  if (path === undefined) return [nothingFound];
  const { places, isWhole } = await referencesTo(last, path, place.tree, place.isLate);
  const texts = new CleanTexts(place.tree);
  const shown: string[] = [];
  for (const { path: file, line } of places.slice(0, maxPlaces)) {
    const text = (await texts.lines(file))?.[line - 1];
    if (text !== undefined)
      shown.push(redactCredentials(`${file}:${line}: ${text.trim().slice(0, maxWidth)}`));
  }
  if (shown.length === 0) return [nothingFound];
  return isWhole && places.length <= maxPlaces ? shown : [...shown, '… there are more'];
}
