import type { ChangedFile } from '../change/change.ts';
import { type ChangeSource, filesByPath } from '../change/change-source.ts';
import { isGeneratedPath, isLockFile } from '../change/file-kinds.ts';
import { pathFilter } from '../configuration/path-filters.ts';
import type { Finding } from '../finding.ts';
import type { Severity } from '../finding-vocabulary.ts';
import { withApplicableSuggestions } from '../judge/apply-suggestion.ts';
import { identify } from '../judge/identify.ts';
import { reaches, worstFirst } from '../judge/judge.ts';
import { limitFindings, maxFindingsAFile, maxFindingsARun } from '../judge/limit-findings.ts';
import { overlapTest } from '../judge/new-findings.ts';
import type { Workplace } from '../process/part.ts';
import { entriesOf, joinStanding, noneStanding, type Standing } from '../report/preexisting.ts';
import { openTree } from '../repository/tree-view.ts';
import type { RuleFinding } from '../rule-source.ts';
import type { AnalyzerLog, AnalyzerResult } from './analyzer-result.ts';
import { applyEdits } from './apply-edits.ts';
import { readKeptLog } from './kept-logs.ts';
import { type FindFile, findFiles } from './repository-paths.ts';

export interface PlaceResultsRequest {
  readonly change: ChangeSource;
  /** Files with logs, as `keepLogs` wrote them. */
  readonly logs: readonly string[];
  /** The files of the change that can have findings. */
  readonly paths: readonly string[];
  /** From the configuration: results about files that they exclude are left out. */
  readonly pathFilters: readonly string[];
  readonly lineages: Readonly<Record<string, string>>;
  /** Results below this severity are not reported as existing problems. */
  readonly floor: Severity;
  /** Rules that are switched off. */
  readonly off: readonly string[];
}

/** The results of analyzers for a change; plain JSON, because it is stored as a stage. */
export interface PlacedResults {
  readonly findings: readonly Finding[];
  /** The results about other lines of the repository. */
  readonly standing: Standing;
  readonly notes: readonly string[];
  /** Files with more results than the limits allow. */
  readonly cut?: readonly string[];
  /** The names of the analyzers. */
  readonly tools: readonly string[];
}

/** A result about a file of the change, with the unit in which its log counts columns. */
interface Raised extends AnalyzerResult {
  readonly columns: AnalyzerLog['columns'];
}

/** A result that spans more lines, such as a whole class, is part of the change only if its first line is. */
const maxLinesOfPlace = 20;

/** Splits results of analyzers into findings on lines of the change and problems that existed before. */
export async function work(
  request: PlaceResultsRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<PlacedResults> {
  const files = filesByPath(await openChange(request.change));
  const inRepository = await pathsOf(request.change, files);
  const raised = new Map<string, Map<string, Raised>>();
  const notes: string[] = [];
  const tools = new Set<string>();
  let standing = noneStanding;
  const told = new Set<string>();
  for (const file of request.logs) {
    const log = await readKeptLog(file);
    tools.add(log.tool);
    const sorted = sortResults(log, request, files, inRepository);
    for (const result of sorted.onChange) {
      const ofFile = raised.get(result.path) ?? new Map<string, Raised>();
      // Several logs of one analyzer may contain the same result.
      ofFile.set(`${result.rule}\0${result.startLine}\0${result.endLine}\0${result.body}`, result);
      raised.set(result.path, ofFile);
    }
    const fresh = sorted.elsewhere.filter(({ path, rule, startLine, severity }) => {
      const key = `${path}\0${rule}\0${startLine}`;
      if (told.has(key) || !reaches(severity, request.floor)) return false;
      told.add(key);
      return true;
    });
    standing = joinStanding([standing, standingOf(fresh)]);
    notes.push(...log.notes, ...sorted.notes);
  }
  const findings: Finding[] = [];
  const cut = new Set<string>();
  for (const [path, results] of raised) {
    const inFile = await findingsIn(files.get(path)!, [...results.values()], request.lineages[path]);
    findings.push(...inFile.findings);
    notes.push(...inFile.notes);
    if (inFile.notes.length > 0) cut.add(path);
  }
  findings.sort(worstFirst);
  if (findings.length > maxFindingsARun)
    notes.push(
      `Of ${findings.length} results of analyzers about this change, the worst ${maxFindingsARun} were taken`,
    );
  for (const { path } of findings.splice(maxFindingsARun)) cut.add(path);
  return { findings, standing, notes, cut: [...cut], tools: [...tools] };
}

/** All paths of the repository after the change; only those of the change if there is no repository. */
async function pathsOf(
  change: ChangeSource,
  files: ReadonlyMap<string, ChangedFile>,
): Promise<ReadonlySet<string>> {
  const changed = [...files.values()].filter(({ kind }) => kind !== 'deleted').map(({ path }) => path);
  const place =
    change.kind === 'commits' ? { repository: change.repository, base: change.head } : change.behind;
  if (place === undefined) return new Set(changed);
  const tree = openTree(place.repository, place.base);
  try {
    return new Set([...(await tree.paths()), ...changed]);
  } finally {
    await tree.close();
  }
}

/** Separates results on lines of the change from results on other lines of the repository. */
function sortResults(
  { tool, columns, results }: AnalyzerLog,
  { paths, pathFilters, off }: PlaceResultsRequest,
  files: ReadonlyMap<string, ChangedFile>,
  inRepository: ReadonlySet<string>,
) {
  const findFile = findFiles(
    inRepository,
    results.flatMap(({ path, related }) => [path, ...related.map((place) => place.path)]),
  );
  const wanted = new Set(paths);
  const isOff = new Set(off);
  const verdictOn = pathFilter(pathFilters);
  const isAdded = new Map(paths.map((path) => [path, overlapTest(files.get(path)!.addedLines)]));
  const onChange: Raised[] = [];
  const elsewhere: AnalyzerResult[] = [];
  let lost = 0;
  for (const result of results) {
    if (isOff.has(result.rule)) continue;
    const path = findFile(result.path);
    if (path === null) {
      lost += 1;
      continue;
    }
    const placed = { ...result, path };
    const { startLine, endLine } = result;
    const lastLine = endLine - startLine < maxLinesOfPlace ? endLine : startLine;
    if (wanted.has(path) && isAdded.get(path)!(startLine, lastLine))
      onChange.push({ ...placed, related: relatedTo(placed, findFile), columns });
    else if (isTold(path, verdictOn(path)) && (wanted.has(path) || !files.has(path))) elsewhere.push(placed);
  }
  const notes =
    lost === 0
      ? []
      : [
          `${lost === 1 ? 'A result' : `${lost} results`} of ${tool} ${lost === 1 ? 'is' : 'are'} about files that are not in the repository`,
        ];
  return { onChange, elsewhere, notes };
}

function isTold(path: string, verdict: ReturnType<ReturnType<typeof pathFilter>>): boolean {
  if (verdict === 'excluded') return false;
  return verdict === 'included' || !(isLockFile(path) || isGeneratedPath(path));
}

/** The related places that are in the repository, with their paths there. */
function relatedTo({ related }: AnalyzerResult, findFile: FindFile): AnalyzerResult['related'] {
  return related.flatMap((place) => {
    const path = findFile(place.path);
    return path === null ? [] : [{ ...place, path }];
  });
}

/** Summarizes results on other lines: the total, and the worst of them as entries. */
function standingOf(results: readonly AnalyzerResult[]): Standing {
  return joinStanding(
    [...Map.groupBy(results, ({ path }) => path)].map(([path, some]) => ({
      entries: entriesOf(path, some),
      total: some.length,
    })),
  );
}

/** Turns results about one file into findings; if there are too many, the worst of them. */
async function findingsIn(
  file: ChangedFile,
  results: readonly Raised[],
  lineage: string | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly notes: readonly string[] }> {
  const text = await file.newText();
  const lineCount = text?.split('\n').length;
  const found = results.map((result) => asRuleFinding(result, text, lineCount));
  const kept = limitFindings(found);
  const checked = text === undefined ? kept : await withApplicableSuggestions(file.path, text, kept);
  const drafts = checked.map(({ rule, startLine, endLine, ...said }) => ({
    ...said,
    path: file.path,
    side: 'new' as const,
    startLine,
    endLine,
    source: { kind: 'rule' as const, name: rule },
    rules: [rule],
    learningIds: [],
  }));
  return {
    findings: await identify(drafts, file, text, lineage),
    notes:
      found.length > kept.length
        ? [`${file.path}: of ${found.length} results of analyzers, the worst ${maxFindingsAFile} were taken`]
        : [],
  };
}

function asRuleFinding(
  { rule, severity, category, title, body, cwe, related, edits, columns, startLine, endLine }: Raised,
  text: string | undefined,
  lineCount: number | undefined,
): RuleFinding {
  const place = { startLine, endLine: Math.min(endLine, lineCount ?? endLine) };
  return {
    ...place,
    rule,
    severity,
    category,
    title,
    body,
    suggestion: edits === null || text === undefined ? null : applyEdits(text, place, edits, columns),
    related,
    confidence: 'likely',
    cwe,
  };
}
