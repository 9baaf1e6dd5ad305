import { clipName, clipText } from '../../lib/sarif/clip-text.ts';
import { type ReadResult, type ReadRun, sarifRuns } from '../../lib/sarif/read/read-sarif.ts';
import type { CallFrame } from '../../lib/sarif/scan-finding.ts';
import { redactCredentials } from '../../redaction/redact-credentials.ts';
import { maxRelated, type RelatedPlace } from '../finding.ts';
import type { Severity } from '../finding-vocabulary.ts';
import type { AnalyzerLog, AnalyzerResult, Edit } from './analyzer-result.ts';
import { withoutOwnName } from './analyzer-rules.ts';
import { categoryOf } from './result-category.ts';

const maxTitleLength = 200;
const maxBodyLength = 4_000;
const maxRelatedLength = 300;
const maxToolLength = 100;
const maxRuleLength = 300;

type Found = Extract<ReadResult, { readonly finding: unknown }>;
type OpenLog = AnalyzerLog & { readonly results: AnalyzerResult[] };

/**
 * Converts a parsed SARIF log to one log per analyzer. Suppressed results and results without a file are left out, and
 * credentials are redacted. Throws a `SarifError` if it is not SARIF 2.1.0.
 */
export function readAnalyzerLogs(log: unknown): AnalyzerLog[] {
  const logs = new Map<string, OpenLog>();
  const unread = new Map<string, number>();
  for (const run of sarifRuns(log, { keepsParts: false })) {
    const open = openLog(run, logs);
    for (const result of run.results) {
      if ('unread' in result) unread.set(open.tool, (unread.get(open.tool) ?? 0) + 1);
      else if (result.finding.suppressed === null && result.finding.filePath !== '')
        open.results.push(readResult(result, open.tool));
    }
  }
  return [...logs.values()].map((open) => ({
    ...open,
    notes: noteOn(open.tool, unread.get(open.tool) ?? 0),
  }));
}

function noteOn(tool: string, unread: number): string[] {
  if (unread === 0) return [];
  return [
    `${unread === 1 ? 'A result' : `${unread} results`} of ${tool} could not be read and ${unread === 1 ? 'was' : 'were'} left out`,
  ];
}

/** The log that collects the results of a run: runs with the same tool name share one. */
function openLog({ facts }: ReadRun, logs: Map<string, OpenLog>): OpenLog {
  const name = facts.name
    .replaceAll('/', '-')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  const tool = clipName(withoutOwnName(name || 'unknown'), maxToolLength);
  const columns = facts.columnKind ?? 'utf16CodeUnits';
  const key = `${tool}\0${columns}`;
  const open = logs.get(key) ?? { tool, columns, results: [], notes: [] };
  logs.set(key, open);
  return open;
}

function readResult({ finding, rule, score, details }: Found, tool: string): AnalyzerResult {
  const { filePath: path, startLine, endLine } = finding;
  const { related, fixes } = details();
  const own = fixes
    .filter((files) => files.length === 1 && files[0]!.filePath === path)
    .map(([file]) => file!.replacements)
    .find((replacements) => replacements !== null && replacements.length > 0);
  const severity = severityOf(score, finding.origin?.level);
  const flow = placesOfFlow(finding.reachability?.callStacks[0] as CallFrame[] | undefined);
  return {
    rule: clipName(`${tool}/${finding.ruleId}`, maxRuleLength),
    path,
    startLine,
    endLine,
    severity,
    category: categoryOf(finding, rule, severity, score !== null),
    title: say(finding.title, maxTitleLength),
    body: say(finding.description ?? rule?.fullDescription?.text ?? finding.title, maxBodyLength),
    cwe: finding.cwe[0] ?? null,
    related: flow.length > 0 ? flow : related.flatMap(placeOf).slice(0, maxRelated),
    edits: own === undefined || own === null ? null : withoutCredentials(own),
  };
}

/** The severity follows from the security score (0 to 10) if there is one, otherwise from the level. */
function severityOf(score: number | null, level: string | undefined): Severity {
  if (score !== null)
    return score >= 9 ? 'critical' : score >= 7 ? 'major' : score >= 4 ? 'minor' : 'trivial';
  return level === 'error' ? 'major' : level === 'warning' ? 'minor' : 'info';
}

function say(text: string, maxLength: number): string {
  return redactCredentials(clipText(text, maxLength));
}

/** Null if an edit contains a credential: redacting it would put a placeholder into code, which is worse than no fix. */
function withoutCredentials(edits: readonly Edit[]): readonly Edit[] | null {
  return edits.some(({ text }) => redactCredentials(text) !== text) ? null : edits;
}

function placeOf({
  filePath,
  startLine,
  endLine,
  text,
}: {
  readonly filePath: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}): RelatedPlace[] {
  if (filePath === null || filePath === '') return [];
  return [{ path: filePath, startLine, endLine, text: say(text, maxRelatedLength) }];
}

/** The data flow from source to sink: both ends, and the first steps between them, up to `maxRelated` in total. */
function placesOfFlow(frames: readonly CallFrame[] | undefined): RelatedPlace[] {
  const steps = (frames ?? []).filter(({ filePath, line }) => filePath !== null && line !== null);
  const distinct = steps.filter(
    ({ filePath, line }, at) => filePath !== steps[at - 1]?.filePath || line !== steps[at - 1]?.line,
  );
  const shown =
    distinct.length <= maxRelated ? distinct : [...distinct.slice(0, maxRelated - 1), distinct.at(-1)!];
  return shown.flatMap(({ filePath, line, message, function: name }) =>
    placeOf({ filePath, startLine: line!, endLine: line!, text: message ?? name ?? '' }),
  );
}
