import type { ChangedFile } from '../change/change.ts';
import { isFixture, isGeneratedText } from '../change/file-kinds.ts';
import { withApplicableSuggestions } from '../judge/apply-suggestion.ts';
import { limitFindings } from '../judge/limit-findings.ts';
import { type Examined, newFindings } from '../judge/new-findings.ts';
import type { RuleFinding, RuleSource, SourceText } from '../rules/rule-source.ts';
import { type CoverageReason, type FileCoverage, withTooMany } from './coverage.ts';

/** What rules found in a file that the change brought, with the text they looked at. */
export interface FileFindings {
  readonly file: ChangedFile;
  readonly text: string;
  readonly findings: readonly RuleFinding[];
}

export interface RuleOutcome {
  readonly found: readonly FileFindings[];
  readonly coverage: readonly FileCoverage[];
  /** What failed, for people. */
  readonly failures: readonly string[];
  /** What else they should know about how the files were looked at. */
  readonly remarks: readonly string[];
}

export interface RuleRun {
  readonly sources: readonly RuleSource[];
  readonly signal: AbortSignal;
  /** When it aborts, what is left counts as not looked at for lack of time. */
  readonly deadline?: AbortSignal;
  /** How long one source may take over one batch. */
  readonly timeoutMs?: number;
  /** Whether texts that cannot be read were too large, or were not given. */
  readonly withoutText: 'too_large' | 'content_missing';
  onProgress?(done: number, total: number): void;
}

const defaultTimeoutMs = 120_000;
const maxBatchFiles = 500;
/**
 * The author has told some linter to say nothing about this line; ours says nothing either. Not the list of
 * findings/tracking/suppression.ts, which is longer: there, any such comment explains why a finding went away; here, only those
 * to linters whose rules we share, because a `ts-ignore` is about types.
 */
const silenced =
  /\b(?:noqa|nolint|nosec|NOSONAR|ruff: *ignore|pylint: *disable|(?:eslint|oxlint)-disable|(?:biome|ast-grep|postil)-ignore|shellcheck disable)\b/i;
const isComment = /^\s*(?:\/\/|\/\*|#|\{\/\*|<!--)/;
const maxBatchLength = 8 * 1024 * 1024;

interface Examinee {
  readonly file: ChangedFile;
  readonly text: string;
  readonly oldText: string | undefined;
  /** Only the lines of the hunks are known. */
  readonly isPart: boolean;
}

/** Lets every source look at the files in both versions, in batches so that memory stays bounded. */
export async function findByRules(files: readonly ChangedFile[], run: RuleRun): Promise<RuleOutcome> {
  const outcome = { found: [] as FileFindings[], coverage: [] as FileCoverage[], failures: [] as string[] };
  let batch: Examinee[] = [];
  let length = 0;
  let done = 0;
  async function finish(): Promise<void> {
    if (batch.length > 0) await examineBatch(batch, run, outcome);
    done += batch.length;
    run.onProgress?.(done, files.length);
    batch = [];
    length = 0;
  }
  for (const file of files) {
    const examinee = await readFile(file, run);
    if ('reason' in examinee) {
      outcome.coverage.push(examinee);
      done += 1;
      continue;
    }
    batch.push(examinee);
    length += examinee.text.length + (examinee.oldText?.length ?? 0);
    if (batch.length >= maxBatchFiles || length >= maxBatchLength) await finish();
  }
  await finish();
  return { ...outcome, remarks: await remarksOn(files, run) };
}

async function remarksOn(files: readonly ChangedFile[], { sources, signal }: RuleRun): Promise<string[]> {
  const used = sources.filter((source) => files.some(({ path }) => source.covers(path)));
  const remarks = await Promise.all(used.map((source) => source.remark?.(signal)));
  return remarks.filter((remark) => remark !== undefined);
}

async function readFile(file: ChangedFile, { withoutText }: RuleRun): Promise<Examinee | FileCoverage> {
  const text = await file.newText();
  if (text !== undefined && isGeneratedText(text))
    return { path: file.path, state: 'skipped', reason: 'generated' };
  if (text !== undefined) return { file, text, oldText: await file.oldText(), isPart: false };
  if (file.hunks.length === 0) return { path: file.path, state: 'full', reason: null };
  if (withoutText === 'too_large') return { path: file.path, state: 'skipped', reason: 'too_large' };
  return { file, text: textOfHunks(file), oldText: undefined, isPart: true };
}

/** The lines that are known at their places, and nothing in between. */
function textOfHunks({ hunks }: ChangedFile): string {
  const lines: string[] = [];
  for (const hunk of hunks)
    for (const { newLine, text } of hunk.lines)
      if (newLine !== null && newLine < 200_000) lines[newLine - 1] = text;
  return Array.from(lines, (line) => line ?? '').join('\n');
}

async function examineBatch(
  batch: readonly Examinee[],
  run: RuleRun,
  outcome: { found: FileFindings[]; coverage: FileCoverage[]; failures: string[] },
): Promise<void> {
  const results = await Promise.all(run.sources.map((source) => examineBySource(source, batch, run)));
  for (const result of results)
    if (result.failure !== undefined && !outcome.failures.includes(result.failure))
      outcome.failures.push(result.failure);
  for (const [index, { file, text, isPart }] of batch.entries()) {
    const raised = results.flatMap(({ findings }) => findings.get(index) ?? []);
    const kept = limitFindings(raised);
    const findings = await withApplicableSuggestions(file.path, text, kept);
    if (findings.length > 0) outcome.found.push({ file, text, findings });
    const coverage = coverageOf(file, isPart, run.sources, results);
    outcome.coverage.push(kept.length < raised.length ? withTooMany(coverage) : coverage);
  }
}

interface SourceResult {
  readonly findings: ReadonlyMap<number, readonly RuleFinding[]>;
  readonly failure?: string;
  readonly reason?: 'rule_failed' | 'time';
}

/** Sources that judge a file by its syntax need all of it, and fixtures are wrong on purpose. */
function isFor(source: RuleSource, { file, isPart }: Examinee): boolean {
  return source.covers(file.path) && (source.name === 'secrets' || (!isPart && !isFixture(file.path)));
}

async function examineBySource(
  source: RuleSource,
  batch: readonly Examinee[],
  run: RuleRun,
): Promise<SourceResult> {
  const indexes = [...batch.keys()].filter((index) => isFor(source, batch[index]!));
  const findings = new Map<number, readonly RuleFinding[]>();
  if (indexes.length === 0) return { findings };
  const texts: SourceText[] = indexes.map((index) => ({
    path: batch[index]!.file.path,
    text: batch[index]!.text,
  }));
  const withOld = indexes.filter((index) => batch[index]!.oldText !== undefined);
  const oldPlaces = new Map(withOld.map((index, place) => [index, place]));
  const oldTexts = withOld.map((index) => {
    const { file, oldText } = batch[index]!;
    return { path: file.path, text: oldText! };
  });
  const timeout = AbortSignal.any([
    AbortSignal.timeout(run.timeoutMs ?? defaultTimeoutMs),
    ...(run.deadline === undefined ? [] : [run.deadline]),
  ]);
  try {
    timeout.throwIfAborted();
    const answers = await source.find([...texts, ...oldTexts], AbortSignal.any([run.signal, timeout]));
    for (const [place, index] of indexes.entries()) {
      const { file, text, oldText } = batch[index]!;
      const before =
        oldText === undefined
          ? undefined
          : examined(oldText, answers[indexes.length + oldPlaces.get(index)!]!);
      const raised = newFindings(file, examined(text, answers[place]!), before);
      const heard = source.name === 'secrets' ? raised : withoutSilenced(raised, text);
      findings.set(index, heard);
    }
    return { findings };
  } catch (error) {
    run.signal.throwIfAborted();
    const reason = timeout.aborted ? 'time' : 'rule_failed';
    const said = timeout.aborted ? 'took too long' : `failed: ${(error as Error).message.slice(0, 200)}`;
    return { findings: new Map(), reason, failure: `${source.name} ${said}` };
  }
}

function withoutSilenced(findings: readonly RuleFinding[], text: string): RuleFinding[] {
  if (!silenced.test(text)) return [...findings];
  const lines = text.split('\n');
  const isSilenced = (line: number) => {
    const [before = '', own = ''] = [lines[line - 2], lines[line - 1]];
    return silenced.test(own) || (isComment.test(before) && silenced.test(before));
  };
  return findings.filter(({ startLine }) => !isSilenced(startLine));
}

function examined(text: string, findings: readonly RuleFinding[]): Examined {
  return { lines: findings.length === 0 ? [] : text.split('\n'), findings };
}

function coverageOf(
  file: ChangedFile,
  isPart: boolean,
  sources: readonly RuleSource[],
  results: readonly SourceResult[],
): FileCoverage {
  const { path } = file;
  const covering = [...sources.keys()].filter((index) => sources[index]!.covers(path));
  const failed = covering.map((index) => results[index]!.reason).find((reason) => reason !== undefined);
  const of = (state: FileCoverage['state'], reason: CoverageReason | null) => ({ path, state, reason });
  if (failed !== undefined) return of(covering.length > 1 ? 'partial' : 'skipped', failed);
  if (isPart) return of('partial', 'content_missing');
  if (file.hunks.length === 0) return of('full', null);
  const hasLanguageRules = covering.some((index) => sources[index]!.isGeneral !== true);
  if (hasLanguageRules && !isFixture(path)) return of('full', null);
  return of(covering.length > 0 ? 'partial' : 'skipped', 'no_rule_for_language');
}
