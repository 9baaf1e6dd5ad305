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
    ? passed('The title has the wanted form.')
    : failed(`The title does not match ${pattern}.`);
}

/** Whether there is a description, and in it what its readers look for. What a template says in comments does not count. */
export function checkDescription(
  { min_length = 0, sections = [] }: Wanted<'description'>,
  { description }: PullRequestFacts,
): Outcome {
  const text = withoutComments(description).trim();
  const length = [...text].length;
  const filled = filledSections(text);
  const missing = sections.filter((name) => !filled.has(nameOf(name)));
  const faults = [
    ...(length < min_length ? [`it has ${counted(length, 'character')} of at least ${min_length}`] : []),
    ...(missing.length > 0 ? [`nothing stands under ${listed(missing.map((name) => `"${name}"`))}`] : []),
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
    // One that is never closed hides everything below it.
    rest = end === -1 ? '' : rest.slice(end + 3);
  }
  return kept + rest;
}

const heading = /^ {0,3}(#{1,6})\s+(\S.*)$/;
/** What people write in place of a heading. */
const boldLine = /^\*\*([^*]+)\*\*:?$/;
const fence = /^ {0,3}(?:```|~~~)/;
/** Below a line, it makes that one a heading: `=` of the first level, `-` of the second. */
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** An item of a list, or a box to tick, that nobody has written anything to. */
const emptyItem = /^[-*+](?:\s+\[[ xX]?\])?$/;

/** Without these characters at its end. A pattern would begin anew at each of them. */
function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

const nameOf = (text: string) => trimmedEnd(text, ' \t#:*').trim().toLowerCase();

/** The headings under which there is something; what stands under a lower heading counts for those above it. */
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

/** Neither empty nor only the frame of something. */
function isSaying(line: string): boolean {
  const said = line.trim();
  return said !== '' && !underline.test(line) && !emptyItem.test(said);
}

export function checkLinkedIssue(
  { required = true, patterns = [] }: Wanted<'linked_issue'>,
  { title, description, issues }: PullRequestFacts,
): Outcome {
  const text = `${title}\n${withoutComments(description)}`;
  if (patterns.some((pattern) => linearTest(pattern)(text))) return passed('An issue is named.');
  const found = issues.find(({ exists }) => exists);
  if (found !== undefined) return passed(`${found.reference} is linked.`);
  if (!required) return skipped('No issue is named, and none is required.');
  if (issues.length === 0)
    return failed('No issue is linked, and neither the title nor the description names one.');
  const names = listed(issues.map(({ reference }) => reference));
  return failed(`There is no such issue: ${names}.`);
}

/** How a text names an issue of its host. */
export interface IssueReference {
  readonly reference: string;
  /** Null for the repository of the pull request itself. */
  readonly repository: string | null;
  readonly number: number;
}

/** More than anybody links. */
const maxReferences = 10;
/** Descriptions are short; what is longer is not written by hand. */
const maxLength = 100_000;
const shortForm = /^([\w.-]+(?:\/[\w.-]+)+)?#(\d{1,9})$/;

/** The issues that a pull request names, as numbers or as addresses at its host. */
export function findIssueReferences(
  { title, description }: Pick<PullRequestFacts, 'title' | 'description'>,
  hostUrl: string,
): IssueReference[] {
  // What is code names nothing, at the hosts as well.
  const text = `${title}\n${withoutComments(description)}`.slice(0, maxLength).replaceAll(/`[^`\n]*`/g, ' ');
  const found = new Map<string, IssueReference>();
  // Divided first, so that no pattern has to look for the beginning of a name.
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
