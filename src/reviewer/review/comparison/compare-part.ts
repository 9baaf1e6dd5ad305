import { wakingTimeout } from '../../../lib/concurrency/waking-time.ts';
import type { ChangeSource } from '../../change/change-source.ts';
import { treeOfChange } from '../../change/tree-of-change.ts';
import type { ReviewConfiguration } from '../../configuration/review-configuration.ts';
import type { FileCoverage } from '../../coverage.ts';
import type { Finding } from '../../finding.ts';
import { identifyPlaced, type SayableFiles } from '../../judge/identify-placed.ts';
import { keepWorst } from '../../judge/limit-findings.ts';
import type { Workplace } from '../../process/part.ts';
import type { ChangeRuleSource, ChangeSides, Comparison } from '../../rule-source.ts';
import { openSides, wholeOf } from './sides.ts';

export interface CompareRequest extends SayableFiles {
  readonly change: ChangeSource;
  readonly reviews: ReviewConfiguration['reviews'];
  readonly owner?: string | undefined;
  /** The names of sources that have already run. */
  readonly leaveOut: readonly string[];
}

/** The result of a source; plain JSON. */
export interface SourceComparison {
  readonly source: string;
  readonly findings: readonly Finding[];
  /** The coverage of every file that the source covers. */
  readonly coverage: readonly FileCoverage[];
  readonly notes: readonly string[];
  readonly report: Comparison['report'];
  /** Versions that are still to be looked up; removed from the stored result. */
  readonly brought?: Comparison['brought'];
  /** What failed, as text; absent if nothing did. */
  readonly failure?: string;
}

/** Reports that a source starts, which cannot be interrupted. */
export interface SourceBegun {
  readonly at: string;
  /** The files that it covers. */
  readonly paths: readonly string[];
}

/** A progress report of a part. */
export type CompareProgress = SourceBegun | SourceComparison;

/** The time limit of one source; that of the whole part is not much longer. */
const sourceMs = 45_000;

/** Lets sources compare both sides of the change, one after the other. Each result is reported as soon as it is known. */
export async function work(request: CompareRequest, place: Workplace): Promise<SourceComparison[]> {
  const { rules } = request.reviews;
  const all = await place.ruleSources([], undefined);
  const sources = all
    .filter((source) => 'compare' in source)
    .filter(
      ({ name }) => (rules as Record<string, boolean>)[name] !== false && !request.leaveOut.includes(name),
    );
  const change = await place.openChange(wholeOf(request.change));
  const sayable = new Set(request.paths);
  const isAsked = (source: ChangeRuleSource) => {
    const matters = (path: string) => source.covers(path) || source.mayCover?.(path) === true;
    return change.files.some(
      ({ path, oldPath }) => sayable.has(path) && (matters(path) || matters(oldPath ?? path)),
    );
  };
  const asked = sources.filter(isAsked);
  if (asked.length === 0) return [];
  const sides = { ...(await openBothSides(request.change, place)), owner: request.owner };
  const results: SourceComparison[] = [];
  try {
    for (const source of asked) {
      const paths = request.paths.filter((path) => source.covers(path));
      place.report({ at: source.name, paths } satisfies CompareProgress);
      const result = await compareBy(source, sides, paths, request, place);
      place.report(result satisfies CompareProgress);
      results.push(result);
    }
  } finally {
    await Promise.all([sides.base.close(), sides.head.close()]);
  }
  // A source that has failed may stay broken in this process.
  if (results.some(({ failure }) => failure !== undefined)) place.retire();
  return results;
}

/** Both sides of a change. For a diff without a repository, or of another base, they only have the files of the change. */
async function openBothSides(source: ChangeSource, { openChange }: Workplace): Promise<ChangeSides> {
  const change = await openChange(wholeOf(source));
  if (source.kind === 'commits' || source.behind !== undefined) {
    const sides = await openSides(source, change);
    if (typeof sides !== 'string') return sides;
  }
  return {
    change,
    base: treeOfChange(change, 'base'),
    head: treeOfChange(change, 'head'),
    hasRepository: false,
  };
}

async function compareBy(
  source: ChangeRuleSource,
  sides: ChangeSides,
  paths: readonly string[],
  request: CompareRequest,
  place: Workplace,
): Promise<SourceComparison> {
  const timeout = AbortSignal.any([wakingTimeout(sourceMs), place.deadline]);
  const { name } = source;
  try {
    timeout.throwIfAborted();
    const found = await source.compare(sides, request.reviews, AbortSignal.any([place.signal, timeout]));
    const { notes, report, brought } = found;
    const unread = new Map(found.unread.map(({ path, reason }) => [path, reason]));
    const { findings, short } = keepWorst(await identifyPlaced(found.findings, sides.change, request));
    const coverage = paths.map((path): FileCoverage => {
      const reason = unread.get(path) ?? (short.has(path) ? 'too_many_findings' : null);
      return { path, state: reason === null ? 'full' : 'partial', reason };
    });
    return { source: name, findings, coverage, notes, report, ...(brought !== undefined && { brought }) };
  } catch (error) {
    place.signal.throwIfAborted();
    const reason = timeout.aborted ? 'time' : 'rule_failed';
    const said = timeout.aborted ? 'took too long' : `failed: ${(error as Error).message.slice(0, 200)}`;
    return notCompared(name, paths, reason, `${name} ${said}`);
  }
}

/** The result of a source that failed. */
export function notCompared(
  source: string,
  paths: readonly string[],
  reason: NonNullable<FileCoverage['reason']>,
  failure: string,
): SourceComparison {
  const coverage = paths.map((path): FileCoverage => ({ path, state: 'partial', reason }));
  return { source, findings: [], coverage, notes: [], report: {}, failure };
}
