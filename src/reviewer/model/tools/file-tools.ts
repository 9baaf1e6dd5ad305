import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { pathTest } from '../../change/select-paths.ts';
import { CleanTexts } from '../context/snippet.ts';
import { redactLines } from '../showing/redact-lines.ts';
import { commitTitles } from './commit-titles.ts';
import { asPath, noSuchFile, nothingFound, type ToolPlace } from './tool-place.ts';

/** In characters; longer lines and paths are not meant to be read. */
const maxWidth = 400;
const maxMatches = 300;
const maxCommits = 30;

const clean = (text: string) =>
  redactCredentials(text)
    .replaceAll(/[\r\n]+/g, ' ')
    .slice(0, maxWidth);

/** Returns a test for the selected paths; without a path, all are selected. */
const selectionOf = (path: string | null | undefined) =>
  path == null || asPath(path) === '' ? () => true : pathTest(asPath(path));

export async function readFile(
  given: { path: string; start_line?: number | null | undefined; end_line?: number | null | undefined },
  { tree }: ToolPlace,
): Promise<string[]> {
  const path = asPath(given.path);
  const text = await tree.read(path);
  if (text === undefined) return [noSuchFile];
  const lines = redactLines(text);
  const start = given.start_line ?? 1;
  const shown = lines.slice(start - 1, given.end_line ?? lines.length);
  return shown.length === 0
    ? [`${clean(path)} has ${lines.length} lines.`]
    : shown.map((line, index) => `${start + index}| ${line.replace(/\r$/, '').slice(0, maxWidth)}`);
}

/** Finds lines whose redacted text matches, so that a search cannot be used to guess a credential. */
export async function searchCode(
  given: { text: string; path?: string | null | undefined; ignore_case?: boolean | null | undefined },
  { tree, isLate }: ToolPlace,
): Promise<string[]> {
  const ignoresCase = given.ignore_case === true;
  const isWanted = selectionOf(given.path);
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const texts = new CleanTexts(tree);
  const { lines, isWhole } = await tree.findLines([given.text], { ignoresCase });
  const found: string[] = [];
  for (const { path, line } of lines.filter((each) => isWanted(each.path))) {
    if (found.length >= maxMatches || isLate()) break;
    const shown = (await texts.lines(path))?.[line - 1];
    if (shown === undefined || !fold(shown).includes(fold(given.text))) continue;
    found.push(`${clean(path)}:${line}: ${clean(shown)}`);
  }
  if (found.length === 0) return [nothingFound];
  return isWhole && found.length < maxMatches ? found : [...found, '… there are more'];
}

export async function listFiles(
  given: { path?: string | null | undefined },
  { tree }: ToolPlace,
): Promise<string[]> {
  const isWanted = selectionOf(given.path);
  const found = [...(await tree.paths())].filter(isWanted).sort().map(clean);
  return found.length === 0 ? [nothingFound] : found;
}

/** Lists commits without their authors: who wrote something must not be a reason for a finding. */
export async function fileHistory(
  given: { path: string },
  { tree, repository }: ToolPlace,
): Promise<string[]> {
  const path = asPath(given.path);
  if (!(await tree.paths()).has(path)) return [noSuchFile];
  const commits = await commitTitles(repository, tree.revision ?? 'HEAD', path, maxCommits);
  return commits.length === 0 ? [nothingFound] : commits.map(({ day, title }) => `${day} ${clean(title)}`);
}
