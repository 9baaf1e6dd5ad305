import { type FileCoverage, withTooMany } from '../coverage.ts';
import type { Finding } from '../finding.ts';
import { rulesOff } from '../judge/attention.ts';
import { worstFirst } from '../judge/judge.ts';
import { maxFindingsARun } from '../judge/limit-findings.ts';
import { partAt } from '../process/part.ts';
import { PartEnded, type PartLimit } from '../process/part-failure.ts';
import { joinStanding, noneStanding, type Standing } from '../report/preexisting.ts';
import type { RulesProgress } from './find-by-rules.ts';
import type { PlannedReview } from './plan-part.ts';
import type { ReviewRequest } from './review-request.ts';
import type { RulesRequest, RulesResult } from './rules-part.ts';

/** The result of the rules; plain JSON, because it is stored as a stage. */
export interface RulePart {
  readonly findings: readonly Finding[];
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
  /** Absent in results that an earlier version stored, as is `standing`. */
  readonly remarks?: readonly string[];
  readonly standing?: Standing;
}

const rulesPart = partAt<typeof import('./rules-part.ts')>('rules-part', import.meta.url);
/** More files than one part can check: the part itself decides how many it takes. */
const maxOffered = 200;

/** Lets rules check the files, part by part. Files that could not be checked are in the coverage. */
export async function askRules(
  request: ReviewRequest,
  { inScope: paths, generated }: Pick<PlannedReview, 'inScope' | 'generated'>,
): Promise<RulePart> {
  let kept = { findings: [] as readonly Finding[], coverage: [] as readonly FileCoverage[] };
  const [failures, remarks] = [new Set<string>(), new Set<string>()];
  let standing = noneStanding;
  for (let from = 0; from < paths.length; ) {
    request.onProgress?.(from, paths.length);
    const result = await lookAtSome(request, paths.slice(from, from + maxOffered), generated);
    from += result.count;
    for (const failure of result.failures) failures.add(failure);
    for (const remark of result.remarks) remarks.add(remark);
    standing = joinStanding([standing, result.standing]);
    kept = limitRun([...kept.findings, ...result.findings], [...kept.coverage, ...result.coverage]);
  }
  request.onProgress?.(paths.length, paths.length);
  return { ...kept, standing, failures: [...failures], remarks: [...remarks] };
}

/**
 * Runs one part. If it is ended from outside, it is repeated without the source that was running, or, if that has completed
 * or none had started, without the programs that were still running; results of completed sources are kept. It is given up if
 * nothing was running, or the time is up.
 */
async function lookAtSome(
  request: ReviewRequest,
  paths: readonly string[],
  generated: readonly string[],
): Promise<RulesResult> {
  const { configuration, own, deadline } = request;
  const done: Record<string, RulesRequest['done'][string]> = {};
  const leaveOut: Record<string, PartLimit> = {};
  const lineages = Object.fromEntries(
    paths.flatMap((path) => (request.lineages?.[path] === undefined ? [] : [[path, request.lineages[path]]])),
  );
  let offered = paths;
  for (;;) {
    let at: string | undefined;
    let programs: readonly string[] = [];
    const onReport = (told: unknown) => {
      const progress = told as RulesProgress;
      if ('count' in progress) offered = paths.slice(0, progress.count);
      else if ('at' in progress) ({ at } = progress);
      else if ('programs' in progress) ({ programs } = progress);
      else done[progress.source] = progress.found;
    };
    const isLate = deadline?.aborted === true;
    if (isLate && Object.keys(done).length === 0) return givenUp(offered, 'time');
    try {
      const work = {
        change: request.change,
        paths: offered,
        generated,
        lineages,
        ...own,
        done,
        leaveOut,
        isLate,
      };
      return await request.run(
        rulesPart,
        {
          ...work,
          enabled: configuration.reviews.rules,
          off: [...rulesOff(request.records ?? [])],
          floor: configuration.reviews.severity_floor,
        },
        { onReport, ...(isLate && { deadline: undefined }) },
      );
    } catch (error) {
      if (!(error instanceof PartEnded)) throw error;
      const isOpen = (source: string) => done[source] === undefined && leaveOut[source] === undefined;
      const culprits = at !== undefined && isOpen(at) ? [at] : programs.filter(isOpen);
      if (culprits.length === 0 || isLate) return givenUp(offered, error.limit);
      for (const source of culprits) leaveOut[source] = error.limit;
    }
  }
}

function givenUp(paths: readonly string[], limit: PartLimit): RulesResult {
  const coverage = paths.map((path): FileCoverage => ({ path, state: 'partial', reason: limit }));
  return { count: paths.length, findings: [], coverage, standing: noneStanding, failures: [], remarks: [] };
}

/** Keeps the worst findings of all files, credentials first, and marks files of which not all were kept. */
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
