import { clipWholeText } from '../../lib/sarif/clip-text.ts';
import { shownPath, withShownPaths } from '../../redaction/shown-path.ts';
import { isFixture } from '../../reviewer/change/file-kinds.ts';
import type { CoverageReason } from '../../reviewer/coverage.ts';
import type { Finding } from '../../reviewer/finding.ts';
import { withoutQuiet } from '../../reviewer/judge/attention.ts';
import type { ReviewResult } from '../../reviewer/review/review-result.ts';
import type { CheckVerdict } from '../../reviewer/review-report.ts';
import { formatReport } from './format-report.ts';
import type { Frame } from './frames-part.ts';
import { namePlace, nameSources } from './named-finding.ts';
import type { LocalResult } from './review-working-copy.ts';
import { onOneLine, type Paint, painter, plural, printable, type Style } from './terminal-text.ts';

const colours: Record<Finding['severity'], Style> = {
  critical: ['bold', 'red'],
  major: 'red',
  minor: 'yellow',
  trivial: 'cyan',
  info: 'gray',
};

const reasons: Record<CoverageReason, string> = {
  binary: 'binary',
  generated: 'generated',
  filtered: 'filtered out',
  too_large: 'too large',
  content_missing: 'content not available',
  no_rule_for_language: 'no rules for its language',
  rule_failed: 'a rule failed',
  model_failed: 'the model failed',
  budget: 'budget used up',
  time: 'no time left',
  memory: 'too much memory',
  too_many_findings: 'too many findings',
  crashed: 'the reviewer crashed',
};

/** The options for showing a result as text. */
export interface TextLook {
  readonly hasColour: boolean;
  readonly hasReport: boolean;
  /** Whether to suggest setting up a model, because none is set. */
  readonly isByRulesAlone: boolean;
  /** Whether to show only what needs attention; the output can then be empty. */
  readonly isBrief: boolean;
}

const modelHint =
  'Rules alone do not see wrong logic or forgotten cases; a model of your own can: set POSTIL_MODEL_URL and POSTIL_MODEL_NAME (docs/model.md).';

/** The result as text for a terminal. */
export async function formatText(
  { result, baseName, showLines }: LocalResult,
  { hasColour, hasReport, isByRulesAlone, isBrief }: TextLook,
): Promise<string> {
  const verdicts = (result.report?.checks ?? []).filter(({ verdict }) => !isBrief || verdict === 'failed');
  if (isBrief && verdicts.length === 0 && isClean(result)) return '';
  const paint = painter(hasColour);
  const blocks: string[] = [];
  const frames = await showLines(result.findings);
  for (const [index, finding] of result.findings.entries()) {
    const heading = `${paint('bold', namePlace(finding))}  ${paint(colours[finding.severity], finding.severity)}  ${onOneLine(finding.title)}  ${paint('gray', nameSources(finding))}`;
    const frame = codeFrame(finding, frames[index] ?? null).map(({ text, isMarked }) =>
      isMarked ? text : paint('gray', text),
    );
    const places = relatedPlaces(finding).map((line) => paint('gray', line));
    blocks.push([heading, ...frame, `  ${printable(finding.body)}`, ...places].join('\n'));
  }
  const checks = checkLines(verdicts, paint);
  if (checks.length > 0) blocks.push(checks.join('\n'));
  const hint = isByRulesAlone && result.coverage.length > 0 ? [modelHint] : [];
  blocks.push([...summaryOf(result, baseName), ...hint].join('\n'));
  if (hasReport && result.report !== null && result.coverage.length > 0)
    blocks.push(formatReport(result.report, paint));
  return blocks.join('\n\n');
}

/** Whether everything was reviewed and nothing was found. */
function isClean({ findings, overflow, quiet = [], status }: ReviewResult): boolean {
  return findings.length + withoutQuiet(overflow, quiet).length === 0 && status !== 'degraded';
}

const verdictColours = { passed: 'green', failed: 'red', inconclusive: 'yellow', skipped: 'gray' } as const;

/** The verdicts of checks before the merge, one per line. */
function checkLines(checks: readonly CheckVerdict[], paint: Paint): string[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return checks.map(({ name, verdict, mode, text }) => {
    const isWarning = verdict === 'failed' && mode === 'warning';
    const shown = isWarning ? paint('yellow', 'failed (warning)') : paint(verdictColours[verdict], verdict);
    return `${paint('bold', name.padEnd(width))}  ${shown}  ${onOneLine(text)}`;
  });
}

/** Related places of a finding, one per line. */
function relatedPlaces({ related }: Finding): string[] {
  return withShownPaths(related).map(({ path, startLine, text }) =>
    `    ${onOneLine(`${path}:${startLine}  ${text}`)}`.trimEnd(),
  );
}

/** The maximum length of a line of code. */
const maxShown = 160;

/** The lines of a finding with some context. */
function codeFrame({ startLine, endLine }: Finding, frame: Frame | null) {
  if (frame === null) return [];
  const { first, lines: shown } = frame;
  const width = String(first + shown.length - 1).length;
  return shown.map((line, index) => {
    const number = first + index;
    const isMarked = number >= startLine! && number <= endLine!;
    const readable = clipWholeText(printable(line.replaceAll('\t', '  ')), maxShown);
    const mark = isMarked ? '>' : ' ';
    return { isMarked, text: `  ${mark} ${String(number).padStart(width)} | ${readable}`.trimEnd() };
  });
}

function summaryOf(result: ReviewResult, baseName: string | null): string[] {
  const { findings, coverage, status, notes } = result;
  const overflow = withoutQuiet(result.overflow, result.quiet ?? []);
  const count = findings.length + overflow.length;
  const files = plural(coverage.length, 'changed file');
  const against = baseName === null ? '(everything, since there is no commit yet)' : `against ${baseName}`;
  const lines = [
    count === 0
      ? coverage.length === 0
        ? baseName === null
          ? 'There is nothing to review: no commit and no file yet.'
          : `Nothing has changed ${against}.`
        : `No findings in ${files} ${against}.`
      : `${plural(count, 'finding')} in ${files} ${against}.`,
  ];
  if (overflow.length > 0)
    lines.push(`${overflow.length} more are not shown (max_comments); --format json lists all.`);
  lines.push(...leftOut(result));
  if (status === 'degraded') lines.push(`Not everything could be reviewed: ${result.reason}.`);
  lines.push(...notes.map((note) => `Note: ${onOneLine(note)}`));
  return lines;
}

/** What was not reviewed, by reason; no output means that everything was. */
function leftOut({ coverage }: ReviewResult): string[] {
  const skipped = coverage.filter(({ state }) => state === 'skipped');
  const lines: string[] = [];
  if (skipped.length > 0) {
    const names = skipped
      .slice(0, 5)
      .map(({ path, reason }) => `${onOneLine(shownPath(path))} (${reasons[reason!]})`);
    const more = skipped.length > 5 ? `, and ${skipped.length - 5} more` : '';
    lines.push(`Not reviewed: ${names.join(', ')}${more}.`);
  }
  const without = coverage.filter(
    ({ state, reason }) => state === 'partial' && reason === 'no_rule_for_language',
  );
  const fixtures = without.filter(({ path }) => isFixture(path)).length;
  const others = without.length - fixtures;
  if (others > 0)
    lines.push(
      `Only checked for credentials and broken text (conflict markers, hidden characters, invalid JSON or YAML): ${plural(others, 'file')} without rules for ${others === 1 ? 'its language' : 'their languages'}.`,
    );
  if (fixtures > 0) lines.push(`Only checked for credentials: ${plural(fixtures, 'file')} with test data.`);
  return lines;
}
