import type { ChangedFile } from '../change/change.ts';
import { type ChangeSource, filesByPath } from '../change/change-source.ts';
import { isGeneratedPath, isGeneratedVersion, pathByLanguage } from '../change/file-kinds.ts';
import { readAstGrepRules } from '../configuration/read-ast-grep-rules.ts';
import { type FileCoverage, withTooMany } from '../coverage.ts';
import { readExceptions } from '../exceptions/exceptions.ts';
import type { Silence } from '../exceptions/silence.ts';
import type { Finding } from '../finding.ts';
import type { Severity } from '../finding-vocabulary.ts';
import { withApplicableSuggestions } from '../judge/apply-suggestion.ts';
import { identify } from '../judge/identify.ts';
import { limitFindings, maxFindingsAFile } from '../judge/limit-findings.ts';
import type { Workplace } from '../process/part.ts';
import type { PartLimit } from '../process/part-failure.ts';
import { joinStanding, noneStanding, type Standing, standingIn } from '../report/preexisting.ts';
import {
  coverageOf,
  type Examinee,
  examineBySources,
  type FoundBySource,
  type RulesProgress,
} from './find-by-rules.ts';

export interface RulesRequest {
  readonly change: ChangeSource;
  /** The files to examine; one part takes as many of the first ones as it can. */
  readonly paths: readonly string[];
  /** Files that are only searched for credentials. */
  readonly generated: readonly string[];
  /** The first known paths of files that were renamed. */
  readonly lineages: Readonly<Record<string, string>>;
  /** Sources that the configuration turns on or off; others are on. */
  readonly enabled: Readonly<Record<string, boolean>>;
  /** Single rules that are turned off. */
  readonly off: readonly string[];
  /** Texts with the organization's own rules. */
  readonly astGrepRules: readonly string[];
  readonly searchPath: string | undefined;
  /** Existing problems below this severity are not reported. */
  readonly floor: Severity;
  /** Results of sources from before the part was ended; they need not run again. */
  readonly done: Readonly<Record<string, FoundBySource>>;
  /** Sources that must not run again, because the part was ended while they ran. */
  readonly leaveOut: Readonly<Record<string, PartLimit>>;
  /** Whether there is no time for sources that are not done. */
  readonly isLate: boolean;
}

export interface RulesResult {
  /** The number of files that were examined. */
  readonly count: number;
  readonly findings: readonly Finding[];
  readonly coverage: readonly FileCoverage[];
  readonly standing: Standing;
  /** What failed, as texts. */
  readonly failures: readonly string[];
  /** Other notes for the reader about how the files were examined. */
  readonly remarks: readonly string[];
}

/** The beginning of a pointer, which Git LFS stores in place of a file. */
const lfsPointer = 'version https://git-lfs.github.com/spec/v1\n';
const maxFiles = 200;
const maxLength = 4 * 1024 * 1024;

/** Lets every source examine some files in both versions, and adds identities to the findings. */
export async function work(request: RulesRequest, place: Workplace): Promise<RulesResult> {
  const change = await place.openChange(request.change);
  const files = request.paths.map((path) => filesByPath(change).get(path)!);
  const withoutText = request.change.kind === 'diff' ? 'content_missing' : 'too_large';
  const marked = new Set(request.generated.filter((path) => !isGeneratedPath(path)));
  const { count, batch, coverage } = await readBatch(files, new Set(request.generated), withoutText);
  place.report({ count } satisfies RulesProgress);
  const ownRules = request.astGrepRules.flatMap((text) => readAstGrepRules(text).rules);
  const all = await place.ruleSources(ownRules, request.searchPath);
  const sources = all
    .filter((source) => 'find' in source)
    .filter(({ name }) => request.enabled[name] ?? true);
  const isExcepted = await readExceptions(
    request.change,
    batch.map(({ file }) => file.path),
  );
  const off = new Set(request.off);
  const isSilenced: Silence = (path, rule) => off.has(rule) || isExcepted(path, rule);
  const results = await examineBySources(sources, batch, { ...request, isSilenced, place });
  // A source that has failed may stay broken in this process.
  if (results.some(({ reason }) => reason === 'rule_failed')) place.retire();
  const findings: Finding[] = [];
  let standing: Standing = noneStanding;
  for (const [index, examinee] of batch.entries()) {
    const { file, text, isGenerated } = examinee;
    const inFile = results.flatMap(({ found }) => found[index] ?? []);
    const raised = inFile.flatMap((each) => each.raised);
    standing = joinStanding([standing, standingIn(file.path, inFile)]);
    const kept = limitFindings(raised);
    const drafts = (await withApplicableSuggestions(file.path, text, kept)).map(
      ({ rule, startLine, endLine, ...said }) => {
        const place = { path: file.path, side: 'new', startLine, endLine } as const;
        const source = { kind: 'rule', name: rule } as const;
        return { ...said, ...place, source, rules: [rule], learningIds: [] };
      },
    );
    if (drafts.length > 0)
      findings.push(...(await identify(drafts, file, text, request.lineages[file.path])));
    const seen = isGenerated
      ? coverageOfGenerated(file.path, marked.has(file.path))
      : coverageOf(examinee, sources, results);
    coverage.push(raised.length > maxFindingsAFile ? withTooMany(seen) : seen);
  }
  const covering = sources.filter((source) => batch.some(({ path }) => source.covers(path)));
  const remarks = await Promise.all(covering.map((source) => source.remark?.(place.signal)));
  return {
    count,
    findings,
    coverage,
    standing,
    failures: results.flatMap(({ failure }) => failure ?? []),
    remarks: remarks.filter((remark) => remark !== undefined),
  };
}

/** Files that the repository marks as generated are still covered by other sources; those with a header are not reviewed. */
function coverageOfGenerated(path: string, isMarked: boolean): FileCoverage {
  return { path, state: isMarked ? 'partial' : 'skipped', reason: 'generated' };
}

/** Reads the first files, as many as fit into memory at once. */
async function readBatch(
  files: readonly ChangedFile[],
  generated: ReadonlySet<string>,
  withoutText: 'too_large' | 'content_missing',
) {
  const batch: Examinee[] = [];
  const coverage: FileCoverage[] = [];
  let length = 0;
  let count = 0;
  for (const file of files) {
    if (count === maxFiles || length >= maxLength) break;
    count += 1;
    const examinee = await readFile(file, withoutText);
    if ('reason' in examinee) coverage.push(examinee);
    else {
      const { text, oldText, isPart } = examinee;
      const isGenerated = generated.has(file.path) || (!isPart && isGeneratedVersion(text, oldText));
      batch.push({ ...examinee, isGenerated });
      length += examinee.text.length + (examinee.oldText?.length ?? 0);
    }
  }
  return { count, batch, coverage };
}

async function readFile(
  file: ChangedFile,
  withoutText: 'too_large' | 'content_missing',
): Promise<Omit<Examinee, 'isGenerated'> | FileCoverage> {
  const text = await file.newText();
  if (text?.startsWith(lfsPointer) === true) return { path: file.path, state: 'skipped', reason: 'binary' };
  if (text !== undefined) {
    const path = pathByLanguage(file.path, text);
    return { file, path, text, oldText: await file.oldText(), isPart: false };
  }
  if (file.hunks.length === 0) return { path: file.path, state: 'full', reason: null };
  if (withoutText === 'too_large') return { path: file.path, state: 'skipped', reason: 'too_large' };
  return { file, path: file.path, text: textOfHunks(file), oldText: undefined, isPart: true };
}

/** A text with the known lines at their positions, and empty lines between them. */
function textOfHunks({ hunks }: ChangedFile): string {
  const lines: string[] = [];
  for (const hunk of hunks)
    for (const { newLine, text } of hunk.lines)
      if (newLine !== null && newLine < 200_000) lines[newLine - 1] = text;
  return Array.from(lines, (line) => line ?? '').join('\n');
}
