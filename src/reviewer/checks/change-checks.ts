import type { Wanted } from '../configuration/checks-shape.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import { type CheckFacts, counted, failed, listed, type Outcome, passed, skipped } from './check-facts.ts';

/** Returns a test for paths that the globs select; `!glob` excludes. */
function selector(globs: readonly string[]): (path: string) => boolean {
  const verdictOn = pathFilter(globs);
  return (path) => verdictOn(path) === 'included';
}

export function checkSize({ max_lines, max_files, ignore = [] }: Wanted<'size'>, facts: CheckFacts): Outcome {
  const isIgnored = selector(ignore);
  const files = facts.files.filter(({ path }) => !isIgnored(path));
  const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0);
  const sizes = [
    { is: lines, allowed: max_lines, noun: 'changed line' },
    { is: files.length, allowed: max_files, noun: 'file' },
  ];
  const exceeded = sizes.filter(({ is, allowed }) => allowed !== undefined && is > allowed);
  if (exceeded.length === 0)
    return passed(`${counted(lines, 'changed line')} in ${counted(files.length, 'file')}.`);
  const said = exceeded.map(
    ({ is, allowed, noun }) => `${counted(is, noun)}, ${allowed!.toLocaleString('en')} allowed`,
  );
  return failed(`The change is too large: ${said.join('; ')}.`);
}

const waitsToBeSquashed = /^(?:fixup|squash|amend)! /;
const conventionalTitle = /^[a-z]+(?:\([^()]+\))?!?: \S/;
/** Commit titles that Git and hosts generate. */
const ownTitle = /^(?:Merge |Revert ")/;

export function checkCommits(
  { no_fixup = false, conventional = false }: Wanted<'commits'>,
  { commits }: CheckFacts,
): Outcome {
  if (commits.length === 0) return skipped('This change has no commits.');
  const unfinished = no_fixup ? commits.filter((title) => waitsToBeSquashed.test(title)) : [];
  const odd = conventional
    ? commits.filter(
        (title) => !conventionalTitle.test(title) && !ownTitle.test(title) && !unfinished.includes(title),
      )
    : [];
  const faults = [
    ...(unfinished.length > 0 ? [`to be squashed: ${listed(unfinished.map(quoted))}`] : []),
    ...(odd.length > 0 ? [`without a type such as "fix: " in the title: ${listed(odd.map(quoted))}`] : []),
  ];
  if (faults.length === 0) return passed(`${counted(commits.length, 'commit')}.`);
  return failed(`Commits ${faults.join('; ')}.`);
}

const maxTitle = 72;
const quoted = (title: string) => `"${title.length > maxTitle ? `${title.slice(0, maxTitle)}…` : title}"`;

/** Fails if files in `when` changed but none in `require` did. A deleted file counts as changed for `when` only. */
export function checkTogether(
  { when, require, message }: Wanted<'together'>,
  { files }: CheckFacts,
): Outcome {
  const isWhen = selector(when);
  const isRequired = selector(require);
  const causes = files.filter(({ path }) => isWhen(path)).map(({ path }) => path);
  if (causes.length === 0) return skipped(`Nothing in ${listed(when)} changed.`);
  const found = files.find(({ path, isDeleted }) => !isDeleted && isRequired(path));
  if (found !== undefined) return passed(`${found.path} was changed with ${causes[0]}.`);
  const advice = message === undefined ? '' : ` ${/[.!?]$/.test(message) ? message : `${message}.`}`;
  return failed(`${listed(causes)} changed, but nothing in ${listed(require)}.${advice}`);
}
