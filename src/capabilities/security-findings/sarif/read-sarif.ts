import { artifactLines } from './artifact-lines.ts';
import { artifactPaths } from './artifact-paths.ts';
import { clipName, clipText } from './clip-text.ts';
import { readOwnNotes } from './own-notes.ts';
import { cweReader } from './read-cwe.ts';
import { readFingerprint } from './read-fingerprint.ts';
import { messageText, resultText } from './read-message.ts';
import { readPlace } from './read-place.ts';
import { readReachability } from './read-reachability.ts';
import { type FoundRule, indexRules } from './rule-index.ts';
import { SarifError } from './sarif-error.ts';
import { parseLog, parseResult, parseRun, type SarifResult, type SarifRun } from './sarif-shape.ts';
import { FINDING_LIMITS, type ScanFinding } from './scan-finding.ts';
import { severityOf } from './severity.ts';

/** More results than this in one log are refused, never cut off. */
export const MAX_RESULTS = 100_000;

/**
 * Findings of a parsed SARIF 2.1.0 log, in its order, over all its runs. A result is a finding unless its kind is
 * other than `fail` or its baseline state is `absent`; one without a location is about no file. Throws a
 * `SarifError` for what is not SARIF 2.1.0, keeps its results elsewhere, or has too many.
 */
export function readSarif(log: unknown): ScanFinding[] {
  return [...sarifFindings(log)];
}

/** The same one by one, for callers that let other work in between; a fault shows when its place is reached. */
export function* sarifFindings(log: unknown): Generator<ScanFinding> {
  const { runs, inlineExternalProperties } = parseLog(log);
  const external = (inlineExternalProperties ?? []).findIndex(({ results }) => results?.length);
  if (external >= 0) throw externalResults(`inlineExternalProperties[${external}].results`);

  let resultCount = 0;
  for (const [index, value] of runs.entries()) {
    const path = `runs[${index}]`;
    const run = parseRun(value, path);
    if (run.externalPropertyFileReferences?.results?.length) {
      throw externalResults(`${path}.externalPropertyFileReferences.results`);
    }
    resultCount += run.results?.length ?? 0;
    if (resultCount > MAX_RESULTS) {
      throw new SarifError('TOO_MANY_RESULTS', `${path}.results`, `the log has over ${MAX_RESULTS} results`);
    }
    const findingOf = findingReader(run);
    for (const [resultIndex, entry] of (run.results ?? []).entries()) {
      const result = parseResult(entry, `${path}.results[${resultIndex}]`);
      if ((result.kind ?? 'fail') !== 'fail' || result.baselineState === 'absent') continue;
      yield findingOf(result);
    }
  }
}

function externalResults(path: string): SarifError {
  return new SarifError('EXTERNAL_RESULTS', path, 'results outside of the runs are not supported');
}

function findingReader(run: SarifRun): (result: SarifResult) => ScanFinding {
  const rules = indexRules(run);
  const paths = artifactPaths(run);
  const lines = artifactLines(run);
  const cweOf = cweReader(run);
  const sharedSteps = run.threadFlowLocations ?? [];

  return (result) => {
    const rule = rules.ruleOf(result);
    const { descriptor } = rule;
    const ruleId = clipName(ruleIdOf(rule, run), FINDING_LIMITS.ruleIdLength);
    const place = readPlace(result.locations?.[0], paths, lines);
    const message = clipText(resultText(result, rule), FINDING_LIMITS.descriptionLength);
    const title = clipText(titleOf(rule, message), FINDING_LIMITS.titleLength) || ruleId;
    const scores = [result.properties, descriptor?.properties].map((bag) => bag?.['security-severity']);
    const flow = {
      paths,
      sharedSteps,
      textOf: (text: SarifResult['message'] | null | undefined) => messageText(text, rule),
    };

    return {
      ruleId,
      title,
      description: message === '' || message === title ? null : message,
      severity: severityOf(scores, result.level ?? rules.levelOf(descriptor)),
      cwe: cweOf(result, descriptor),
      ...place,
      filePath: place.filePath ?? paths(result.analysisTarget) ?? '',
      ...readFingerprint(result, place.snippet, message),
      suppressed: readSuppression(result),
      reachability: readReachability(result, flow),
      ...readOwnNotes(result.properties),
    };
  };
}

/** A result need not name a rule; then the tool stands in for it. */
function ruleIdOf({ id }: FoundRule, { tool }: SarifRun): string {
  return [id, tool.driver.name].find((name) => name?.trim()) ?? 'unknown';
}

/** The rule's own words name the finding best; failing these, the first line of the message does. */
function titleOf({ descriptor, id }: FoundRule, message: string): string {
  const { shortDescription, fullDescription, name } = descriptor ?? {};
  return (
    shortDescription?.text?.trim() ||
    firstLine(fullDescription?.text) ||
    (name !== id && name?.trim()) ||
    firstLine(message)
  );
}

function firstLine(text: string | null | undefined): string {
  return text?.trim().split(/[\r\n]/, 1)[0] ?? '';
}

/** One accepted suppression is enough; one that says nothing of its review counts as accepted. */
function readSuppression({ suppressions }: SarifResult): ScanFinding['suppressed'] {
  const accepted = suppressions?.find(({ status }) => (status ?? 'accepted') === 'accepted');
  if (!accepted) return null;
  const fallback = accepted.kind === 'inSource' ? 'Suppressed in source' : 'Suppressed by the scanner';
  const by = accepted.properties?.by;
  return {
    reason: clipText(accepted.justification ?? '', FINDING_LIMITS.reasonLength) || fallback,
    by: typeof by === 'string' ? clipText(by, FINDING_LIMITS.reasonLength) || null : null,
  };
}
