import { linearTest } from '../../lib/patterns/linear-pattern.ts';
import type { Wanted } from '../configuration/checks-shape.ts';
import {
  counted,
  failed,
  listed,
  type Outcome,
  type PullRequestFacts,
  passed,
  skipped,
} from './check-facts.ts';

export function checkTitle({ pattern }: Wanted<'title'>, { title }: PullRequestFacts): Outcome {
  return linearTest(pattern)(title)
    ? passed('The title matches the pattern.')
    : failed(`The title does not match ${pattern}.`);
}

/** Checks the length of the description and its required sections. HTML comments do not count, as templates have them. */
export function checkDescription(
  { min_length = 0, sections = [] }: Wanted<'description'>,
  { description }: PullRequestFacts,
): Outcome {
  const text = withoutComments(description).trim();
  const length = [...text].length;
  const filled = filledSections(text);
  const missing = sections.filter((name) => !filled.has(nameOf(name)));
  const faults = [
    ...(length < min_length
      ? [`it has ${counted(length, 'character')}, at least ${min_length} are required`]
      : []),
    ...(missing.length > 0
      ? [`missing or empty sections: ${listed(missing.map((name) => `"${name}"`))}`]
      : []),
  ];
  if (faults.length > 0) return failed(`The description is not complete: ${faults.join('; ')}.`);
  return passed(`The description has ${counted(length, 'character')}.`);
}

function withoutComments(text: string): string {
  let rest = text;
  let kept = '';
  for (let start = rest.indexOf('<!--'); start !== -1; start = rest.indexOf('<!--')) {
    kept += rest.slice(0, start);
    const end = rest.indexOf('-->', start + 4);
    // An unclosed comment hides everything below it.
    rest = end === -1 ? '' : rest.slice(end + 3);
  }
  return kept + rest;
}

const heading = /^ {0,3}(#{1,6})\s+(\S.*)$/;
/** A bold line, which people use instead of a heading. */
const boldLine = /^\*\*([^*]+)\*\*:?$/;
const fence = /^ {0,3}(?:```|~~~)/;
/** The underline that makes the line above a heading: `=` of level 1, `-` of level 2. */
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** A list item or a checkbox without text. */
const emptyItem = /^[-*+](?:\s+\[[ xX]?\])?$/;

/** Removes these characters at the end. A pattern would need quadratic time, because it starts anew at each of them. */
function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

const nameOf = (text: string) => trimmedEnd(text, ' \t#:*').trim().toLowerCase();

/** The names of the headings with content below them. Content below a subheading counts for the headings above it too. */
function filledSections(text: string): Set<string> {
  const filled = new Set<string>();
  let open: { readonly name: string; readonly level: number }[] = [];
  let isInFence = false;
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (fence.test(line)) isInFence = !isInFence;
    const begun = isInFence ? undefined : headingIn(line, lines[index + 1] ?? '');
    if (begun !== undefined) open = [...open.filter(({ level }) => level < begun.level), begun];
    else if (isSaying(line)) for (const { name } of open) filled.add(name);
  }
  return filled;
}

function headingIn(line: string, below: string): { name: string; level: number } | undefined {
  const [, marks, title] = heading.exec(line) ?? [];
  if (title !== undefined) return { name: nameOf(title), level: marks!.length };
  const [, bold] = boldLine.exec(line.trim()) ?? [];
  if (bold !== undefined) return { name: nameOf(bold), level: 7 };
  const [, under] = (isSaying(line) && underline.exec(below)) || [];
  return under === undefined ? undefined : { name: nameOf(line), level: under.startsWith('=') ? 1 : 2 };
}

/** Whether a line has content: it is not empty, not an underline, and not an empty list item. */
function isSaying(line: string): boolean {
  const said = line.trim();
  return said !== '' && !underline.test(line) && !emptyItem.test(said);
}

export function checkLinkedIssue(
  { required = true, patterns = [] }: Wanted<'linked_issue'>,
  { title, description, issues }: PullRequestFacts,
): Outcome {
  const text = `${title}\n${withoutComments(description)}`;
  if (patterns.some((pattern) => linearTest(pattern)(text))) return passed('An issue is mentioned.');
  const found = issues.find(({ exists }) => exists);
  if (found !== undefined) return passed(`${found.reference} is linked.`);
  if (!required) return skipped('No issue is mentioned, and none is required.');
  if (issues.length === 0)
    return failed('No issue is linked, and neither the title nor the description mentions one.');
  const names = listed(issues.map(({ reference }) => reference));
  return failed(`There is no such issue: ${names}.`);
}

/** A reference to an issue of the host, in a text. */
export interface IssueReference {
  readonly reference: string;
  /** Null for the repository of the pull request itself. */
  readonly repository: string | null;
  readonly number: number;
}

/** The maximum number of references; real pull requests have fewer. */
const maxReferences = 10;
/** In characters; a longer description was not written by hand. */
const maxLength = 100_000;
const shortForm = /^([\w.-]+(?:\/[\w.-]+)+)?#(\d{1,9})$/;

/** The issues that a pull request mentions, as numbers or as URLs of its host. */
export function findIssueReferences(
  { title, description }: Pick<PullRequestFacts, 'title' | 'description'>,
  hostUrl: string,
): IssueReference[] {
  // Inline code does not reference issues, as at the hosts.
  const text = `${title}\n${withoutComments(description)}`.slice(0, maxLength).replaceAll(/`[^`\n]*`/g, ' ');
  const found = new Map<string, IssueReference>();
  // Split into words first, so that all patterns are anchored at the start and run in linear time.
  for (const word of text.split(/[\s()[\]{}<>,;"'`|]+/)) {
    const reference = trimmedEnd(word, '.:!?*_');
    const named = reference.startsWith(`${hostUrl}/`)
      ? /^([\w.-]+(?:\/[\w.-]+)+?)(?:\/-)?\/issues\/(\d{1,9})$/.exec(reference.slice(hostUrl.length + 1))
      : shortForm.exec(reference.slice(reference.indexOf(':') + 1));
    const number = Number(named?.[2]);
    if (named === null || number === 0 || found.size >= maxReferences) continue;
    found.set(reference, { reference, repository: named[1] ?? null, number });
  }
  return [...found.values()];
}
