import { clipName, clipText } from '../clip-text.ts';
import { type KeptParts, readKeptParts, withAddresses } from '../kept-parts.ts';
import { isOwnRun, leavesOutFindingsWithoutFile, NOTES_KEY, readOwnNotes } from '../own-notes.ts';
import { type RuleFacts, readRuleFacts } from '../sarif-rule-facts.ts';
import { FINDING_LIMITS, type ScanFinding } from '../scan-finding.ts';
import type { ScanTool } from '../scan-tool.ts';
import { scoreOf, severityOf } from '../severity.ts';
import { readToolFacts, type ToolFacts, toolOfRun } from '../tool-facts.ts';
import { artifactLines } from './artifact-lines.ts';
import { artifactPaths } from './artifact-paths.ts';
import { cweOfTaxa, cweReader } from './read-cwe.ts';
import { type ResultDetails, readDetails } from './read-details.ts';
import { readFingerprint, readOrigin } from './read-fingerprint.ts';
import { messageText, resultText } from './read-message.ts';
import { readPlace } from './read-place.ts';
import { readReachability } from './read-reachability.ts';
import { titleOf } from './read-title.ts';
import { type UnreadableResult, unreadableResultReader } from './read-unreadable-result.ts';
import { type FoundRule, indexRules } from './rule-index.ts';
import { SarifError } from './sarif-error.ts';
import {
  type Descriptor,
  parseLog,
  parseResult,
  parseRun,
  type SarifResult,
  type SarifRun,
} from './sarif-shape.ts';

/** A log with more results is rejected, never truncated. */
export const MAX_RESULTS = 100_000;

/** The limit for the parts of one log that an export repeats. */
const MAX_KEPT_LENGTH = 64 * 1024 * 1024;

/** One result of a run: a finding with its rule as the tool describes it, or a result that could not be read. */
export type ReadResult =
  | {
      readonly finding: ScanFinding;
      readonly rule: RuleFacts | null;
      /** The effective `security-severity`: of the result or, if absent, of its rule. */
      readonly score: number | null;
      /** Read on demand, since the inventory does not need them. */
      readonly details: () => ResultDetails;
    }
  | { readonly unread: UnreadableResult };

/** One run of a log; its results are read lazily, so that callers can yield to other work. */
export interface ReadRun {
  /** Null in our own export of findings whose tool is unknown. */
  readonly tool: ScanTool | null;
  readonly facts: ToolFacts;
  /** Set if this is our own export, which leaves out findings without a file. */
  readonly lacksFindingsWithoutFile: boolean;
  readonly results: Iterable<ReadResult>;
}

/** Reads the findings of a log, without unreadable results. */
export function readSarif(log: unknown): ScanFinding[] {
  return [...sarifRuns(log)].flatMap(({ results }) =>
    [...results].flatMap((result) => ('finding' in result ? [result.finding] : [])),
  );
}

/**
 * Reads the runs of a parsed SARIF 2.1.0 log. A result is a finding unless its kind is not `fail` or its baseline state is
 * `absent`; one without a location has no file. Throws a `SarifError` if the log is not SARIF 2.1.0, stores its results
 * elsewhere, or has too many. `keepsParts` can be false for callers that never export the results.
 */
export function* sarifRuns(log: unknown, { keepsParts = true } = {}): Generator<ReadRun> {
  const { runs, inlineExternalProperties } = parseLog(log);
  const external = (inlineExternalProperties ?? []).findIndex(({ results }) => results?.length);
  if (external >= 0) throw externalResults(`inlineExternalProperties[${external}].results`);

  let resultCount = 0;
  const keep = keepsParts ? partKeeper() : () => null;
  for (const [index, value] of (runs ?? []).entries()) {
    const path = `runs[${index}]`;
    const run = parseRun(value, path);
    if (run.externalPropertyFileReferences?.results?.length) {
      throw externalResults(`${path}.externalPropertyFileReferences.results`);
    }
    resultCount += run.results?.length ?? 0;
    if (resultCount > MAX_RESULTS) {
      throw new SarifError('TOO_MANY_RESULTS', `${path}.results`, `the log has over ${MAX_RESULTS} results`);
    }
    yield {
      tool: toolOfRun(run),
      facts: readToolFacts(run),
      lacksFindingsWithoutFile: leavesOutFindingsWithoutFile(run.properties),
      results: resultsOf(run, path, keep),
    };
  }
}

type KeepParts = (result: unknown) => KeptParts | null;

/** Keeps parts of results until the limit for one log is reached. */
function partKeeper(): KeepParts {
  let room = MAX_KEPT_LENGTH;
  return (result) => {
    const parts = room > 0 ? readKeptParts(result, NOTES_KEY) : null;
    if (parts !== null) room -= JSON.stringify(parts).length;
    return parts;
  };
}

function* resultsOf(run: SarifRun, path: string, keep: KeepParts): Generator<ReadResult> {
  const read = resultReader(run, keep);
  const readUnreadable = unreadableResultReader(run);
  for (const [index, entry] of (run.results ?? []).entries()) {
    const parsed = parseResult(entry, `${path}.results[${index}]`);
    if (parsed instanceof SarifError) {
      const unread = readUnreadable(entry, parsed);
      if (unread) yield { unread };
    } else if ((parsed.kind ?? 'fail') === 'fail' && parsed.baselineState !== 'absent')
      yield read(parsed, entry);
  }
}

function externalResults(path: string): SarifError {
  return new SarifError('EXTERNAL_RESULTS', path, 'results outside the runs are not supported');
}

function resultReader(run: SarifRun, keep: KeepParts): (result: SarifResult, sent: unknown) => ReadResult {
  const rules = indexRules(run);
  const paths = artifactPaths(run);
  const lines = artifactLines(run);
  // In our own export only the result's taxa count: its rule's description may have changed since the finding was detected.
  const cweOf = isOwnRun(run.properties) ? cweOfTaxa(run) : cweReader(run);
  const sharedSteps = run.threadFlowLocations ?? [];
  const known = new Map<Descriptor, RuleFacts>();
  const factsOf = (descriptor: Descriptor, ruleId: string) => {
    const facts = known.get(descriptor) ?? readRuleFacts(descriptor, ruleId);
    known.set(descriptor, facts);
    return facts;
  };

  const locationAt = (index: number) => {
    const { uri, uriBaseId } = run.artifacts?.[index]?.location ?? {};
    return uri == null ? undefined : { uri, ...(uriBaseId != null && { uriBaseId }) };
  };

  return (result, sent) => {
    const kept = keep(sent);
    const rule = rules.ruleOf(result);
    const { descriptor } = rule;
    const ruleId = clipName(ruleIdOf(rule, run), FINDING_LIMITS.ruleIdLength);
    const place = readPlace(result.locations?.[0], paths, lines);
    const message = clipText(resultText(result, rule), FINDING_LIMITS.descriptionLength);
    const title = clipText(titleOf(descriptor, rule.id, message), FINDING_LIMITS.titleLength) || ruleId;
    const scores = [result.properties, descriptor?.properties].map((bag) => bag?.['security-severity']);
    const level = result.level ?? rules.levelOf(descriptor);
    const textOf = (text: SarifResult['message'] | null | undefined) => messageText(text, rule);
    const finding: ScanFinding = {
      ruleId,
      title,
      description: message === '' || message === title ? null : message,
      severity: severityOf(scores, level),
      cwe: cweOf(result, descriptor, ruleId),
      ...place,
      filePath: place.filePath ?? paths(result.analysisTarget) ?? '',
      ...readFingerprint(result, place.snippet, message),
      suppressed: readSuppression(result),
      reachability: readReachability(result, { paths, sharedSteps, textOf }),
      origin: { ...readOrigin(result, level), ...(kept && { kept: withAddresses(kept, locationAt) }) },
      ...readOwnNotes(result.properties),
    };
    return {
      finding,
      rule: descriptor && factsOf(descriptor, ruleId),
      score: scoreOf(scores),
      details: () => readDetails(result, { paths, lines, textOf }),
    };
  };
}

/** If a result does not name a rule, the tool's name is used. */
function ruleIdOf({ id }: FoundRule, { tool }: SarifRun): string {
  return [id, tool.driver.name].find((name) => name?.trim()) ?? 'unknown';
}

/** One accepted suppression is enough; one without a status counts as accepted. */
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
