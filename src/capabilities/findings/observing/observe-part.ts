import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { runGit } from '../../../reviewer/repository/run-git.ts';
import type { LastLook } from '../../reviews/run-findings/list-posted-findings.ts';
import type { Signal } from '../signals/signal.ts';
import { codeSignals } from './code-signals.ts';
import { detectorState } from './detector-state.ts';
import type { StoredFinding } from './follow-store.ts';
import type { FollowedFinding } from './followed-finding.ts';
import { observeCode, type Version } from './observe-code.ts';

/** A finding in a form that can be sent to a review process. */
export type SentFinding = Pick<
  StoredFinding,
  'findingId' | 'source' | 'revision' | 'mergeBase' | 'path' | 'side' | 'range' | 'anchor' | 'suggestion'
> &
  Pick<FollowedFinding, 'suggestions' | 'isOfPerson' | 'onlyAsks'> & { readonly names: readonly string[] };

export interface ObserveRequest {
  readonly repository: RepositoryPlace;
  readonly findings: readonly SentFinding[];
  readonly posted: Version;
  readonly now: Version;
  /** What the part `paths-part` has found. */
  readonly paths: readonly string[] | null;
  readonly isMerged: boolean;
  readonly look: LastLook;
}

/** The signals about a finding; their time is set when they are stored. */
export interface Observed {
  readonly signals: readonly Omit<Signal, 'at'>[];
  readonly chance: number | null;
}

/** Tracks findings from the version they were posted on to a newer one, whose files must have been fetched. */
export async function work(request: ObserveRequest): Promise<Observed[]> {
  const { repository, posted, now, paths, look, isMerged } = request;
  const findings = request.findings.map((finding) => ({ ...finding, names: new Set(finding.names) }));
  const seen = await observeCode(repository, findings, posted, now, paths);
  const head = now.revision;
  const observed: Observed[] = [];
  const applied = new Map<string, string | null>();
  for (const finding of findings) {
    const observation = seen.get(finding)!;
    const detector = detectorState(finding, observation.tracking, look, head);
    const { path, suggestion } = finding;
    if (suggestion !== null && !applied.has(path))
      applied.set(path, await findApplied(repository, path, now));
    const appliedBy = suggestion === null ? null : applied.get(path)!;
    const signals = codeSignals(finding, {
      ...observation,
      head,
      at: new Date(0),
      isMerged,
      detector,
      appliedBy,
    });
    observed.push({ signals: signals.map(({ at: _, ...signal }) => signal), chance: observation.chance });
  }
  return observed;
}

/** The commit by which a host applied suggestions to a file, recognized by the messages that hosts give such commits. */
async function findApplied(
  { call }: RepositoryPlace,
  path: string,
  { revision, mergeBase }: Version,
): Promise<string | null> {
  if (mergeBase === null) return null;
  const found = await runGit(
    [
      '--literal-pathspecs',
      'log',
      '--max-count=1',
      '--format=%H',
      '--extended-regexp',
      '--grep=^Appl(y|ied) ([0-9]+ )?suggestion',
      `${mergeBase}..${revision}`,
      '--',
      path,
    ],
    call,
  );
  return found.toString().trim() || null;
}
