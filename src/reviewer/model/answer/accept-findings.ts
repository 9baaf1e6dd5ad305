import type { ChangedFile } from '../../change/change.ts';
import { stillParses } from '../../code/still-parses.ts';
import { maxRelated, type RelatedPlace } from '../../finding.ts';
import { placeQuote } from '../../judge/place.ts';
import type { ModelFinding } from '../model-reviewer.ts';
import type { AnsweredFinding } from './answer-schema.ts';
import { cleanSuggestion } from './clean-suggestion.ts';
import { cleanLine, cleanText } from './clean-text.ts';

export interface AcceptOptions {
  /** The files of the call, by path; findings about others are not accepted. */
  readonly files: ReadonlyMap<string, ChangedFile>;
  /** The ids of the Learnings that were offered, by their names in the prompt. */
  readonly learnings: ReadonlyMap<string, string>;
  readonly repositoryUrl?: string | undefined;
  /** The text after the change of any file of the repository, or only of the change; undefined if there is none. */
  readText(path: string): Promise<string | undefined>;
}

export interface Accepted {
  readonly findings: readonly ModelFinding[];
  /** Files with a finding whose quote was not found. */
  readonly misquoted: ReadonlySet<string>;
  /** The number of findings about files that the model was not shown. */
  readonly strays: number;
}

const maxTitle = 160;
const maxBody = 4_000;

/** Turns the answer of a model into findings that were checked and cleaned, so that they may leave the process. */
export async function acceptFindings(
  answered: readonly AnsweredFinding[],
  options: AcceptOptions,
): Promise<Accepted> {
  const findings: ModelFinding[] = [];
  const misquoted = new Set<string>();
  let strays = 0;
  for (const finding of answered) {
    const file = options.files.get(finding.path);
    if (file === undefined) {
      strays += 1;
      continue;
    }
    const text = await file.newText();
    const place = placeQuote(finding.quote, file, text);
    if (place === null) misquoted.add(file.path);
    const isCurrent = place?.side === 'new' && text !== undefined;
    const title = cleanLine(finding.title, { ...options, maxLength: maxTitle });
    const body = cleanText(finding.body, { ...options, maxLength: maxBody });
    if (title === '' || body === '') continue;
    findings.push({
      path: file.path,
      quote: finding.quote,
      title,
      body,
      severity: finding.severity,
      category: finding.category,
      suggestion: isCurrent ? await acceptSuggestion(finding, file.path, text, place) : null,
      learningIds: offered(finding.learning_ids ?? [], options.learnings),
      related: await acceptRelated(finding.related ?? [], options),
    });
  }
  return { findings, misquoted, strays };
}

function offered(named: readonly string[], learnings: ReadonlyMap<string, string>): string[] {
  const ids = named.map((name) => learnings.get(name.trim())).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

/** Keeps the related places that exist: in a file with the quoted lines. */
async function acceptRelated(
  named: NonNullable<AnsweredFinding['related']>,
  options: AcceptOptions,
): Promise<RelatedPlace[]> {
  const places: RelatedPlace[] = [];
  for (const { path, quote, text } of named.slice(0, maxRelated)) {
    const found = await options.readText(path);
    const place = found === undefined ? null : placeQuote(quote, nothingChanged, found);
    if (place === null) continue;
    const { startLine, endLine } = place;
    places.push({ path, startLine, endLine, text: cleanLine(text, { ...options, maxLength: maxTitle }) });
  }
  return places;
}

const nothingChanged = { hunks: [], addedLines: new Set<number>() };
const bare = (text: string) => text.replaceAll(/\s+/g, '');

/** Accepts a suggestion only if it replaces exactly the quoted lines, changes them, and the file still parses; else null. */
async function acceptSuggestion(
  { quote, suggestion }: AnsweredFinding,
  path: string,
  text: string,
  { startLine, endLine }: { readonly startLine: number; readonly endLine: number },
): Promise<string | null> {
  const code = cleanSuggestion(suggestion, text);
  if (code === null) return null;
  const lines = text.split('\n');
  const replaced = lines.slice(startLine - 1, endLine).join('\n');
  if (bare(replaced) !== bare(quote) || replaced === code) return null;
  const after = [...lines.slice(0, startLine - 1), code, ...lines.slice(endLine)].join('\n');
  return (await stillParses(path, text, after)) ? code : null;
}
