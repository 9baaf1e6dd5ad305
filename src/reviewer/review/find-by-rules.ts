import { wakingTimeout } from '../../lib/concurrency/waking-time.ts';
import type { ChangedFile } from '../change/change.ts';
import { isFixture } from '../change/file-kinds.ts';
import type { CoverageReason, FileCoverage } from '../coverage.ts';
import type { Silence } from '../exceptions/silence.ts';
import type { Severity } from '../finding-vocabulary.ts';
import { reaches } from '../judge/judge.ts';
import { limitFindings, maxFindingsAFile } from '../judge/limit-findings.ts';
import { type Examined, newFindings, overlapTest } from '../judge/new-findings.ts';
import type { Workplace } from '../process/part.ts';
import type { PartLimit } from '../process/part-failure.ts';
import type { RuleFinding, RuleSource, SourceText } from '../rule-source.ts';
import { silencedLines } from '../rules/silenced-lines.ts';
import { weighInContext } from '../rules/weigh-in-context.ts';

/** A file as rule sources examine it. */
export interface Examinee {
  readonly file: ChangedFile;
  /** The path by which sources recognize its language. */
  readonly path: string;
  readonly text: string;
  readonly oldText: string | undefined;
  /** Whether only the lines of the hunks are known. */
  readonly isPart: boolean;
  /** Whether it is not handwritten: then it is only searched for credentials. */
  readonly isGenerated: boolean;
}

/** The findings of a source in a file. */
export interface FoundInFile {
  /** Findings that the change introduced. */
  readonly raised: readonly RuleFinding[];
  /** The worst of the findings on lines that the change leaves unchanged; `standingCount` is their total. */
  readonly standing: readonly RuleFinding[];
  readonly standingCount: number;
}

/** The findings of a source, by the index of the file in the batch. */
export type FoundBySource = Readonly<Record<number, FoundInFile>>;

export interface SourceResult {
  readonly found: FoundBySource;
  /** What failed, as text; absent if nothing did. */
  readonly failure?: string;
  readonly reason?: 'rule_failed' | PartLimit;
}

/** A progress report of a part. */
export type RulesProgress =
  /** The number of files that the part examines. */
  | { readonly count: number }
  /** Sources that run as programs of their own start. */
  | { readonly programs: readonly string[] }
  /** A source starts, which cannot be interrupted. */
  | { readonly at: string }
  | { readonly source: string; readonly found: FoundBySource };

export interface Examination {
  readonly done: Readonly<Record<string, FoundBySource>>;
  readonly leaveOut: Readonly<Record<string, PartLimit>>;
  readonly isLate: boolean;
  /** Rules that the repository or the organization has turned off. */
  readonly isSilenced: Silence;
  /** Existing problems below this severity are not reported. */
  readonly floor: Severity;
  readonly place: Pick<Workplace, 'signal' | 'deadline' | 'report'>;
}

/** Per file; as many as a report shows of all files together. */
const maxStanding = 50;
/** The time limit of one source; that of the whole part is not much longer. */
const sourceMs = 45_000;
const ended: Record<PartLimit, string> = {
  time: 'took too long',
  memory: 'took too much memory',
  crashed: 'crashed',
};

/**
 * Lets sources examine the files one after the other, because most of them keep the process busy; those that are programs of
 * their own run at the same time. Each result is reported as soon as it is known.
 */
export async function examineBySources(
  sources: readonly RuleSource[],
  batch: readonly Examinee[],
  { done, leaveOut, isLate, isSilenced, floor, place }: Examination,
): Promise<SourceResult[]> {
  const results = new Map<RuleSource, SourceResult | Promise<SourceResult>>();
  const examine = async (source: RuleSource): Promise<SourceResult> => {
    const result = await examineBySource(source, batch, { isSilenced, floor, place });
    if (result.failure === undefined)
      place.report({ source: source.name, found: result.found } satisfies RulesProgress);
    return result;
  };
  const programs = sources.filter(({ isProgram }) => isProgram).map(({ name }) => name);
  place.report({ programs } satisfies RulesProgress);
  for (const source of sources.toSorted((a, b) => Number(b.isProgram ?? 0) - Number(a.isProgram ?? 0))) {
    const known = done[source.name];
    const limit = leaveOut[source.name] ?? (isLate && known === undefined ? 'time' : undefined);
    if (limit !== undefined)
      results.set(source, { found: {}, reason: limit, failure: `${source.name} ${ended[limit]}` });
    else if (known !== undefined) results.set(source, { found: known });
    else if (source.isProgram) results.set(source, examine(source));
    else {
      place.report({ at: source.name } satisfies RulesProgress);
      results.set(source, await examine(source));
    }
  }
  return Promise.all(sources.map((source) => results.get(source)!));
}

/** Whether a source examines a file. Most need the whole file for its syntax, and fixtures are wrong on purpose. */
function isFor(source: RuleSource, { path, isPart, isGenerated }: Examinee): boolean {
  if (!source.covers(path)) return false;
  return source.name === 'secrets' || (!isPart && !isGenerated && !isFixture(path));
}

async function examineBySource(
  source: RuleSource,
  batch: readonly Examinee[],
  { isSilenced, floor, place }: Pick<Examination, 'isSilenced' | 'floor' | 'place'>,
): Promise<SourceResult> {
  const wanted = [...batch.entries()].filter(([, examinee]) => isFor(source, examinee));
  if (wanted.length === 0) return { found: {} };
  const timeout = AbortSignal.any([wakingTimeout(sourceMs), place.deadline]);
  try {
    timeout.throwIfAborted();
    const texts = wanted.map(([, { path, text }]): SourceText => ({ path, text }));
    const withOld = wanted.filter(
      ([, { path, oldText }]) =>
        oldText !== undefined && source.understands?.({ path, text: oldText }) !== false,
    );
    const oldTexts = withOld.map(([, { path, oldText }]) => ({ path, text: oldText! }));
    const answers = await source.find([...texts, ...oldTexts], AbortSignal.any([place.signal, timeout]));
    const before = new Map(
      withOld.map(([index, { oldText }], at) => [index, examined(oldText!, answers[wanted.length + at]!)]),
    );
    const found: Record<number, FoundInFile> = {};
    for (const [at, [index, { file, text }]] of wanted.entries()) {
      const all = answers[at]!;
      if (all.length === 0) continue;
      const heard = (some: readonly RuleFinding[]) => {
        const wished = some.filter(({ rule }) => !isSilenced(file.path, rule));
        const left = source.name === 'secrets' ? wished : withoutSilenced(wished, text);
        // The organization itself decides the severity of its own rules.
        return source.name === 'ast_grep' ? left : weighInContext(left, text);
      };
      const raised = newFindings(file, examined(text, all), before.get(index));
      const standing = heard(standingFindings(file, all, raised)).filter(({ severity }) =>
        reaches(severity, floor),
      );
      found[index] = {
        raised: limitFindings(heard(raised), maxFindingsAFile + 1),
        standing: limitFindings(standing, maxStanding).slice(0, maxStanding),
        standingCount: standing.length,
      };
    }
    return { found };
  } catch (error) {
    place.signal.throwIfAborted();
    const reason = timeout.aborted ? 'time' : 'rule_failed';
    const said = timeout.aborted ? ended.time : `failed: ${(error as Error).message.slice(0, 200)}`;
    return { found: {}, reason, failure: `${source.name} ${said}` };
  }
}

/** The findings that the change did not introduce, on lines that it leaves unchanged. */
function standingFindings(
  { addedLines }: ChangedFile,
  all: readonly RuleFinding[],
  raised: readonly RuleFinding[],
): RuleFinding[] {
  const brought = new Set(raised.map(placeOf));
  const isAdded = overlapTest(addedLines);
  const seen = new Set<string>();
  return all.filter((finding) => {
    const place = placeOf(finding);
    if (seen.has(place) || brought.has(place) || isAdded(finding.startLine, finding.endLine)) return false;
    seen.add(place);
    return true;
  });
}

const placeOf = ({ rule, startLine }: RuleFinding) => `${rule}\0${startLine}`;

function withoutSilenced(findings: readonly RuleFinding[], text: string): RuleFinding[] {
  const isSilencedLine = silencedLines(text);
  return findings.filter(({ startLine }) => !isSilencedLine(startLine));
}

function examined(text: string, findings: readonly RuleFinding[]): Examined {
  return { lines: findings.length === 0 ? [] : text.split('\n'), findings };
}

/** How much of a file sources examined. */
export function coverageOf(
  { file, path: byLanguage, isPart }: Examinee,
  sources: readonly RuleSource[],
  results: readonly SourceResult[],
): FileCoverage {
  const { path } = file;
  const covering = [...sources.keys()].filter((index) => sources[index]!.covers(byLanguage));
  const failed = covering.map((index) => results[index]!.reason).find((reason) => reason !== undefined);
  const of = (state: FileCoverage['state'], reason: CoverageReason | null) => ({ path, state, reason });
  if (failed === 'rule_failed') return of(covering.length > 1 ? 'partial' : 'skipped', failed);
  if (failed !== undefined) return of('partial', failed);
  if (isPart) return of('partial', 'content_missing');
  if (file.hunks.length === 0) return of('full', null);
  const hasLanguageRules = covering.some((index) => sources[index]!.isGeneral !== true);
  if (hasLanguageRules && !isFixture(path)) return of('full', null);
  return of(covering.length > 0 ? 'partial' : 'skipped', 'no_rule_for_language');
}
