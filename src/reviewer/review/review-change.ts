import { redactCredentials } from '../../redaction/redact-credentials.ts';
import type { Change, ChangedFile } from '../change/change.ts';
import { findSymbols } from '../code/symbols.ts';
import type { ReviewConfiguration } from '../configuration/review-configuration.ts';
import type { Finding, FindingPlace, FindingSource, FindingText } from '../finding.ts';
import { identityOf, kindOf } from '../judge/identity.ts';
import { judgeFindings, worstFirst } from '../judge/judge.ts';
import { maxFindingsARun } from '../judge/limit-findings.ts';
import { placeQuote } from '../judge/place.ts';
import type { RuleSource } from '../rules/rule-source.ts';
import { type FileCoverage, isShortfall, withTooMany } from './coverage.ts';
import { estimateReview } from './estimate.ts';
import { findByRules } from './find-by-rules.ts';
import type { ModelAnswer, ModelFinding, ModelReviewer } from './model-reviewer.ts';
import { planReview } from './plan.ts';
import type { ReviewResult } from './review-result.ts';

export interface ReviewRequest {
  readonly change: Change;
  readonly configuration: ReviewConfiguration;
  /** All that there are; the configuration turns some off. */
  readonly sources: readonly RuleSource[];
  readonly model?: ModelReviewer | undefined;
  /** Stops the review, which then rejects. */
  readonly signal: AbortSignal;
  /** Ends the time for the review: what was not looked at by then is in the coverage, and the review comes to its end. */
  readonly deadline?: AbortSignal;
  /** Keeps the result of each stage; by default, every stage is done. */
  readonly stage?: StageKeeper;
  /** The path under which a file was first known in this pull request; by default, the one in the base. */
  readonly lineageOf?: (file: ChangedFile) => string;
  /** The part of a file that a model is to look at; by default, all of its hunks. */
  readonly focusOf?: (file: ChangedFile) => ChangedFile;
  /** Gives findings that are known from earlier reviews the identity that they had there. */
  readonly recognize?: (found: readonly Finding[]) => readonly Finding[];
  /** Identities of findings that people dismissed or will not fix. */
  readonly dismissed?: ReadonlySet<string>;
  readonly notes?: readonly string[];
  readonly onProgress?: (done: number, total: number) => void;
}

/** The stages whose results are worth keeping: both can take minutes, and a model costs money. */
export type StageName = 'rules' | 'model';

/** Gives the result that a stage had in an earlier attempt, or does the work and keeps its result, which is plain JSON. */
export type StageKeeper = <Result>(name: StageName, work: () => Promise<Result>) => Promise<Result>;

/** What rules came to. */
interface RulePart {
  readonly findings: readonly Finding[];
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
  /** Absent in results that an earlier version kept. */
  readonly remarks?: readonly string[];
}

async function askRules(request: ReviewRequest, inScope: readonly ChangedFile[]): Promise<RulePart> {
  const { change, configuration, signal, deadline } = request;
  const enabled: Readonly<Record<string, boolean>> = configuration.reviews.rules;
  const { found, coverage, failures, remarks } = await findByRules(inScope, {
    sources: request.sources.filter(({ name }) => enabled[name] ?? true),
    signal,
    ...(deadline !== undefined && { deadline }),
    withoutText: change.baseRevision === null ? 'content_missing' : 'too_large',
    onProgress: (done, total) => request.onProgress?.(done, total),
  });
  const findings: Finding[] = [];
  for (const { file, text, findings: raised } of found) {
    const drafts = raised.map(({ rule, startLine, endLine, ...said }) => {
      const place = { path: file.path, side: 'new', startLine, endLine } as const;
      return { ...said, ...place, source: { kind: 'rule', name: rule } as const, learningIds: [] };
    });
    findings.push(...(await identify(drafts, file, text, request)));
  }
  return { ...limitRun(findings, coverage), failures, remarks };
}

/** Keeps the worst of all files, credentials first, and says of which files not everything was kept. */
function limitRun(findings: readonly Finding[], coverage: readonly FileCoverage[]) {
  if (findings.length <= maxFindingsARun) return { findings, coverage };
  const isSecret = ({ source }: Finding) => source.name.startsWith('secrets/');
  const ranked = findings.toSorted((a, b) => Number(isSecret(b)) - Number(isSecret(a)) || worstFirst(a, b));
  const kept = new Set(ranked.slice(0, maxFindingsARun));
  const short = new Set(ranked.slice(maxFindingsARun).map(({ path }) => path));
  return {
    findings: findings.filter((finding) => kept.has(finding)),
    coverage: coverage.map((entry) => (short.has(entry.path) ? withTooMany(entry) : entry)),
  };
}

/** Reviews a change: plans, lets rules and the model look at it, places what they say, and judges what is worth a comment. */
export async function reviewChange(request: ReviewRequest): Promise<ReviewResult> {
  const { change, configuration } = request;
  const stage: StageKeeper = request.stage ?? ((_name, work) => work());
  const plan = planReview(change, configuration);
  const byRules = await stage('rules', () => askRules(request, plan.inScope));
  const byModel = await stage('model', () => askModel(request, plan.inScope, byRules));
  const coverage = inOrder(change, [...plan.outOfScope, ...byModel.coverage]);
  const shortfalls = coverage.filter(isShortfall);
  const failures = [...byRules.failures, ...byModel.failures];
  const isDegraded = shortfalls.length > 0 || failures.length > 0;
  const estimate = estimateReview(plan.inScope);
  const found = [...byRules.findings, ...byModel.findings];
  return {
    status: isDegraded ? 'degraded' : 'succeeded',
    reason: isDegraded ? reasonOf(shortfalls, failures) : null,
    baseRevision: change.baseRevision,
    headRevision: change.headRevision,
    coverage,
    ...judgeFindings(request.recognize?.(found) ?? found, configuration, request.dismissed),
    usage: byModel.answer?.usage ?? null,
    estimatedComplexity: estimate.complexity,
    estimatedReviewMinutes: estimate.minutes,
    notes: [...(request.notes ?? []), ...(byRules.remarks ?? [])],
  };
}

/** Identities are made of it, and it is stored with each finding. */
const maxQuoteLength = 20_000;

type Draft = FindingText & FindingPlace & { source: FindingSource; learningIds: readonly string[] };

/** Gives findings of one file their quote, symbol and identity. Nothing of a credential is kept in them. */
async function identify(
  drafts: readonly Draft[],
  file: ChangedFile,
  text: string | undefined,
  request: ReviewRequest,
): Promise<Finding[]> {
  const lines = text?.split('\n') ?? [];
  const symbols = text === undefined ? undefined : await findSymbols(file.path, text);
  const lineage = request.lineageOf?.(file) ?? file.oldPath ?? file.path;
  const seen = new Map<string, number>();
  // Many findings can be about one line, and a line can be as long as a file.
  const quotes = new Map<string, string>();
  const symbolsAt = new Map<number, string | null>();
  try {
    return drafts.map((draft) => {
      const range = `${draft.side}\0${draft.startLine}\0${draft.endLine}`;
      const quote =
        quotes.get(range) ?? redactCredentials(quoteOf(draft, file, lines)).slice(0, maxQuoteLength);
      quotes.set(range, quote);
      const line = draft.side === 'new' ? draft.startLine : null;
      if (line !== null && !symbolsAt.has(line)) symbolsAt.set(line, symbols?.at(line) ?? null);
      const symbol = line === null ? null : symbolsAt.get(line)!;
      const kind = kindOf(draft);
      const key = `${kind}\0${quote.replaceAll(/\s+/g, '')}\0${symbol}`;
      const occurrence = seen.get(key) ?? 0;
      seen.set(key, occurrence + 1);
      return {
        ...draft,
        identity: identityOf({ kind, lineage, quote, symbol, occurrence }),
        quote,
        symbol,
        isInDiff: isInDiff(draft, file),
      };
    });
  } finally {
    symbols?.close();
  }
}

function quoteOf(
  { side, startLine, endLine }: FindingPlace,
  { hunks }: ChangedFile,
  lines: readonly string[],
): string {
  if (startLine === null || endLine === null) return '';
  if (side === 'new' && lines.length > 0) return lines.slice(startLine - 1, endLine).join('\n');
  return hunks
    .flatMap((hunk) => hunk.lines)
    .filter((line) => {
      const number = side === 'new' ? line.newLine : line.oldLine;
      return number !== null && number >= startLine && number <= endLine;
    })
    .map((line) => line.text)
    .join('\n');
}

/** Hosts take comments on lines of one hunk only. */
function isInDiff({ side, startLine, endLine }: FindingPlace, { hunks }: ChangedFile): boolean {
  if (startLine === null || endLine === null) return false;
  return hunks.some((hunk) => {
    const [start, count] = side === 'new' ? [hunk.newStart, hunk.newCount] : [hunk.oldStart, hunk.oldCount];
    return startLine >= start && endLine < start + count;
  });
}

interface ModelPart {
  readonly answer?: ModelAnswer;
  readonly findings: readonly Finding[];
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
}

/** Lets the model look at what is in scope, if there is one; what it cannot do makes the result degraded, not fail. */
async function askModel(
  request: ReviewRequest,
  inScope: readonly ChangedFile[],
  { coverage, findings: ruleFindings }: RulePart,
): Promise<ModelPart> {
  const { model, configuration, deadline } = request;
  const signal = deadline === undefined ? request.signal : AbortSignal.any([request.signal, deadline]);
  const skipped = new Set(
    coverage
      .filter(({ state, reason }) => state === 'skipped' && reason !== 'no_rule_for_language')
      .map(({ path }) => path),
  );
  const files = inScope
    .map((file) => request.focusOf?.(file) ?? file)
    .filter(({ path, hunks }) => hunks.length > 0 && !skipped.has(path));
  if (model === undefined || !configuration.reviews.model.enabled || files.length === 0)
    return { findings: [], coverage, failures: [] };
  try {
    const answer = await model.review({ files, configuration, ruleFindings, deadline }, signal);
    const placed = await placeFindings(answer.findings, files, model.name, request);
    const confirmed = placed.length === 0 ? undefined : await model.confirm?.(placed, signal);
    return {
      answer: { ...answer, usage: confirmed?.usage ?? answer.usage },
      findings: placed.filter(({ identity }) => confirmed?.standing.has(identity) ?? true),
      coverage: coverageWithModel(coverage, files, answer),
      failures: answer.failures ?? [],
    };
  } catch (error) {
    request.signal.throwIfAborted();
    const isLate = deadline?.aborted === true;
    const names = new Set(files.map(({ path }) => path));
    const fallen = coverage.map(
      (entry): FileCoverage =>
        names.has(entry.path) && !isShortfall(entry)
          ? { path: entry.path, state: 'partial', reason: isLate ? 'time' : 'model_failed' }
          : entry,
    );
    return {
      findings: [],
      coverage: fallen,
      failures: [
        isLate ? 'the model took too long' : `the model failed: ${(error as Error).message.slice(0, 200)}`,
      ],
    };
  }
}

/** What rules fell short of, which no model makes up for. */
function isLasting(reason: FileCoverage['reason']): boolean {
  return reason !== null && rulesFellShort.has(reason);
}

const rulesFellShort: ReadonlySet<string> = new Set([
  'rule_failed',
  'time',
  'memory',
  'crashed',
  'too_many_findings',
]);

/** A file that the model saw is covered, whatever its language. */
function coverageWithModel(
  coverage: readonly FileCoverage[],
  files: readonly ChangedFile[],
  { shortfalls }: ModelAnswer,
): FileCoverage[] {
  const seen = new Set(files.map(({ path }) => path));
  const short = new Map(shortfalls.map((entry) => [entry.path, entry]));
  return coverage.map((entry): FileCoverage => {
    if (!seen.has(entry.path) || isLasting(entry.reason)) return entry;
    const shortfall = short.get(entry.path);
    return shortfall === undefined
      ? { path: entry.path, state: 'full', reason: null }
      : { ...shortfall, state: 'partial' };
  });
}

/**
 * Turns quotes into lines. What a model says that is not tied to code of the change is dropped: of a file that is not part of
 * it, or with a quote that is not there. A model that obeys what it read says nothing else on its behalf.
 */
async function placeFindings(
  answers: readonly ModelFinding[],
  files: readonly ChangedFile[],
  model: string,
  request: ReviewRequest,
): Promise<Finding[]> {
  const byPath = Map.groupBy(answers, ({ path }) => path);
  const placed: Finding[] = [];
  for (const file of files) {
    const text = byPath.has(file.path) ? await file.newText() : undefined;
    const drafts = (byPath.get(file.path) ?? []).flatMap(({ quote, ...said }): Draft[] => {
      const place = placeQuote(quote, file, text);
      return place === null ? [] : [{ ...said, ...place, source: { kind: 'model', name: model } }];
    });
    if (drafts.length > 0) placed.push(...(await identify(drafts, file, text, request)));
  }
  return placed;
}

function inOrder({ files }: Change, coverage: readonly FileCoverage[]): FileCoverage[] {
  const known = new Map(coverage.map((entry) => [entry.path, entry]));
  return files.map(({ path }) => known.get(path)!);
}

function reasonOf(shortfalls: readonly FileCoverage[], failures: readonly string[]): string {
  const count = shortfalls.length;
  const kinds = [...new Set(shortfalls.map(({ reason }) => reason))].join(', ');
  const unseen =
    count === 0 ? [] : [`${count} ${count === 1 ? 'file was' : 'files were'} not reviewed whole (${kinds})`];
  return [...failures, ...unseen].join('; ');
}
