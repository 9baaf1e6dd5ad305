import { type CoverageReason, type FileCoverage, isShortfall } from '../../../reviewer/coverage.ts';
import type { Finding } from '../../../reviewer/finding.ts';
import { severities } from '../../../reviewer/finding-vocabulary.ts';
import type { ReviewResult } from '../../../reviewer/review/review-result.ts';
import { describeChecks } from './check-texts.ts';
import { gradeOf, sayFinding, type TextContext } from './comment-text.ts';
import { writeMarker } from './markers.ts';
import {
  contractsText,
  dependenciesText,
  guidanceText,
  impactText,
  standingText,
  walkthroughText,
} from './report-text.ts';
import { asCode, safeLine } from './safe-text.ts';

export interface Summary {
  readonly context: TextContext;
  /** One sentence about the run as a whole, such as the title of its check. */
  readonly verdict: string;
  readonly result: Pick<ReviewResult, 'coverage' | 'notes' | 'usage' | 'report'>;
  readonly baseSha: string;
  readonly headSha: string;
  /** All open findings, worst first. */
  readonly open: readonly Finding[];
  /** Those without a comment because they are not on lines of the diff. */
  readonly unplaced: readonly Finding[];
  /** Those without a comment because the limit on comments is reached. */
  readonly overflow: readonly Finding[];
  /** Those whose thread was resolved although the finding is still there. */
  readonly resolved: readonly Finding[];
  /** Whether automatic reviews are paused. */
  readonly isPaused: boolean;
}

const summaryTitle = '### Postil review';
const pauseNotice =
  '> Automatic reviews of this pull request are paused. A comment that mentions this account and says `resume` ends that.';

/** Adds the notice that reviews are paused to the summary, or removes it. */
export function withPauseNotice(summary: string, isPaused: boolean): string {
  const plain = summary.replace(`${pauseNotice}\n\n`, '');
  return isPaused ? plain.replace(`${summaryTitle}\n\n`, (title) => `${title}${pauseNotice}\n\n`) : plain;
}

const checksStart = '<!-- postil:checks -->';
const checksEnd = '<!-- /postil:checks -->';

/**
 * Replaces the checks' part of the summary, below the verdict; an empty description removes it. Checks change more often
 * than the rest.
 */
export function withChecks(summary: string, description: string): string {
  const start = summary.indexOf(`\n\n${checksStart}`);
  const end = summary.indexOf(checksEnd, start);
  const plain =
    start === -1 || end === -1 ? summary : summary.slice(0, start) + summary.slice(end + checksEnd.length);
  if (description === '') return plain;
  const parts = plain.split('\n\n');
  const title = parts.indexOf(summaryTitle);
  const place = title + (parts[title + 1] === pauseNotice ? 3 : 2);
  const section = `${checksStart}\n#### Checks\n\n${description}\n${checksEnd}`;
  return title === -1 ? plain : parts.toSpliced(place, 0, section).join('\n\n');
}

/** Enough for readers; hosts accept about 65,000 characters. The checks come on top of it. */
const maxLength = 16_000;
/** The maximum length of findings that are shown in full; the others get a line each. */
const maxWholeLength = 7_000;
const maxListLength = 1_400;
/** The maximum number of related places for each finding that is shown in full. */
const maxPlaces = 3;
const maxLines = 50;
const maxNoteLength = 500;

const reasonTexts: Readonly<Record<CoverageReason, string>> = {
  binary: 'binary',
  generated: 'generated',
  filtered: 'excluded by path_filters',
  too_large: 'too large',
  content_missing: 'its content is missing',
  no_rule_for_language: 'no rule for its language',
  rule_failed: 'a rule failed',
  model_failed: 'the model failed',
  budget: 'the budget was used up',
  time: 'the time was used up',
  memory: 'it took too much memory',
  too_many_findings: 'it has more findings than are kept',
  crashed: 'the process that read it crashed twice',
};

/** The one comment that summarizes a review; later runs edit it in place. */
export function summaryText(summary: Summary): string {
  const { context, result } = summary;
  const { report } = result;
  const told = `${summaryTitle}\n\n${safeLine(summary.verdict, context.repositoryUrl)}.${countsOf(summary.open)}`;
  const parts: Parts = {
    always: [writeMarker({ kind: 'summary', runId: context.runId }), told],
    findings: [
      ...unplacedSection(summary),
      ...section('More findings', summary.overflow, (finding) => `- ${lineOf(finding, context)}`),
      ...section('Resolved, but still found', summary.resolved, (finding) => `- ${lineOf(finding, context)}`),
    ],
    impact: report ? impactText(report) : [],
    dependencies: report ? [...dependenciesText(report), ...contractsText(report)] : [],
    walkthrough: report ? [...walkthroughText(report), ...standingText(report, context.repositoryUrl)] : [],
    coverage: [
      ...section('Not reviewed', result.coverage.filter(isShortfall), coverageLine),
      ...outOfScopeSection(result.coverage),
      ...section(
        'Notes',
        result.notes,
        (note) => `- ${safeLine(note, context.repositoryUrl, maxNoteLength)}`,
      ),
      factsOf(summary),
    ],
  };
  if (report) parts.always.push(...guidanceText(report));
  const text = withPauseNotice(withinLength(parts), summary.isPaused);
  return withChecks(text, describeChecks(report?.checks ?? [], context.repositoryUrl));
}

/** The parts of a summary in their order. */
interface Parts {
  readonly always: string[];
  readonly findings: readonly string[];
  readonly impact: readonly string[];
  readonly dependencies: readonly string[];
  readonly walkthrough: readonly string[];
  readonly coverage: readonly string[];
}

/** Leaves out the least important parts until the rest fits. The findings stay, because their lists are limited already. */
function withinLength({ always, findings, impact, dependencies, walkthrough, coverage }: Parts): string {
  const versions = [
    [...always, ...findings, ...impact, ...dependencies, ...walkthrough, ...coverage],
    [...always, ...findings, ...impact, ...dependencies, ...coverage],
    [...always, ...findings, ...impact, ...coverage],
    [...always, ...findings, ...coverage],
  ].map((sections) => sections.join('\n\n'));
  return versions.find((text) => text.length <= maxLength) ?? versions.at(-1)!;
}

function countsOf(open: readonly Finding[]): string {
  const counts = severities
    .map((severity) => [open.filter((finding) => finding.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}`);
  return counts.length === 0 ? '' : ` Open: ${counts.join(', ')}.`;
}

/** A list with a heading. Formats only the items that are shown, because there can be tens of thousands. */
function section<Item>(title: string, items: readonly Item[], write: (item: Item) => string): string[] {
  if (items.length === 0) return [];
  const lines: string[] = [];
  let length = 0;
  for (const item of items.slice(0, maxLines)) {
    const line = write(item);
    length += line.length + 1;
    if (length > maxListLength && lines.length > 0) break;
    lines.push(line);
  }
  const rest = items.length - lines.length;
  const shown = rest > 0 ? [...lines, `- and ${rest} more`] : lines;
  return [`#### ${title}\n\n${shown.join('\n')}`];
}

/** Findings that are only in the summary are shown in full, up to a limit. */
function unplacedSection({ unplaced, context }: Summary): string[] {
  const whole: string[] = [];
  let length = 0;
  for (const finding of unplaced) {
    const text = `${placeOf(finding)}\n\n${sayFinding(finding, context, maxPlaces)}`;
    length += text.length;
    if (length > maxWholeLength) break;
    whole.push(text);
  }
  const rest = unplaced.slice(whole.length);
  const title = whole.length === 0 ? 'Not on lines of the diff' : 'Others like these';
  return [
    ...(whole.length === 0 ? [] : [['#### Not on lines of the diff', ...whole].join('\n\n')]),
    ...section(title, rest, (finding) => `- ${lineOf(finding, context)}`),
  ];
}

function placeOf({ path, startLine, endLine }: Finding): string {
  if (startLine === null || endLine === null) return asCode(path);
  return `${asCode(path)}, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`}`;
}

function lineOf(finding: Finding, { repositoryUrl }: TextContext): string {
  return `${placeOf(finding)}: ${gradeOf(finding)}: ${safeLine(finding.title, repositoryUrl)}`;
}

function coverageLine({ path, state, reason }: FileCoverage): string {
  const how = state === 'partial' ? 'only in part: ' : '';
  return `- ${asCode(path)}: ${how}${reason === null ? state : reasonTexts[reason]}`;
}

function outOfScopeSection(coverage: readonly FileCoverage[]): string[] {
  const outside = coverage.filter((entry) => entry.state !== 'full' && !isShortfall(entry));
  if (outside.length === 0) return [];
  const [list] = section('Out of scope', outside, coverageLine);
  const files = outside.length === 1 ? '1 file' : `${outside.length} files`;
  const lines = list!.split('\n').slice(2).join('\n');
  return [`<details><summary>Out of scope: ${files}</summary>\n\n${lines}\n\n</details>`];
}

function factsOf({ context, result, baseSha, headSha }: Summary): string {
  const { usage, coverage } = result;
  const full = coverage.filter(({ state }) => state === 'full').length;
  const facts = [
    `Compared ${asCode(baseSha.slice(0, 10))} with ${asCode(headSha.slice(0, 10))}`,
    `${full} of ${coverage.length} files reviewed completely`,
    usage === null
      ? 'by rules'
      : `by rules and ${asCode(usage.model)} (${usage.inputTokens + usage.outputTokens} tokens)`,
    `run ${asCode(context.runId)}`,
  ];
  return `<sub>${facts.join('; ')}.</sub>`;
}
