import type { ProviderOrgId, ProviderRepositoryId } from '../../../lib/ids.ts';
import {
  asCategory,
  asSeverity,
  type Category,
  type Severity,
} from '../../../reviewer/finding-vocabulary.ts';
import type { PullRequestData } from '../../pull-requests/pull-request-data.ts';
import type { PullRequestState } from '../../pull-requests/pull-request-state.ts';
import { dayOf, type EntryClass, entryClasses } from '../order/day-spans.ts';

/** A pull request as its newest event reported it. */
export interface PullRequestFacts {
  readonly url: string;
  readonly state: PullRequestState;
  readonly eventTime: Date;
  readonly authorId: string | null;
  readonly authorUsername: string | null;
  readonly createdAt: Date;
  readonly readyForReviewAt: Date | null;
  readonly firstHumanReviewAt: Date | null;
  readonly lastCommitAt: Date | null;
  readonly mergedAt: Date | null;
  readonly closedAt: Date | null;
  readonly reviewIterations: number | null;
  readonly estimatedComplexity: number | null;
  readonly estimatedReviewMinutes: number | null;
}

export interface Finding {
  readonly id: string;
  readonly url: string;
  readonly severity: Severity | null;
  readonly category: Category | null;
}

/** The latest outcome of one finding, and its time. */
export interface Verdict {
  readonly accepted: boolean | null;
  readonly timeMs: number;
}

/** An outcome as it was reported. */
export interface ReportedOutcome {
  readonly findingId: string;
  readonly accepted: boolean | null;
  /** The deciding signal, if the sender reports it. */
  readonly signal: string | null;
  /** Whether the reporter has announced it to webhooks already. */
  readonly isAnnounced: boolean;
}

/** MCP usage as its newest event reported it; the servers as the JSON text that is sent. */
export interface McpUsage {
  readonly servers: string;
  readonly timeMs: number;
}

/** The servers of a pull request that used none. */
export const noServers = '[]';

/** A position at the end of the write order, not reserved yet; the order follows the index of the causing event. */
export interface PendingPosition {
  readonly eventIndex: number;
}

/** A position in the write order of a list; null if the record is not in the list. */
export type WritePosition = number | PendingPosition | null;

export function isPendingPosition(position: WritePosition): position is PendingPosition {
  return typeof position === 'object' && position !== null;
}

/**
 * All that is known about one pull request's review. Every part is the newest of its kind by the time of its event, so
 * that the same events produce the same record in whatever order they arrive.
 */
export interface ReviewRecord {
  readonly pullRequest: PullRequestFacts;
  /** How the entry begins, up to its comments or servers; null while the pull request is open. */
  readonly head: string | null;
  readonly findings: readonly Finding[];
  readonly findingsTimeMs: number | null;
  /** By finding id, including findings that are not listed yet or no longer. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /**
   * The verdicts that have not been announced to webhooks, with the signals that decided. They are announced once their
   * finding is listed.
   */
  readonly unannounced: ReadonlyMap<string, string | null>;
  readonly mcp: McpUsage | null;
  readonly position: WritePosition;
  readonly mcpPosition: WritePosition;
}

/** Why the record is in the metrics; null while its pull request is open. */
export function classOf({ pullRequest, findings }: ReviewRecord): EntryClass | null {
  if (pullRequest.state === 'open') return null;
  if (pullRequest.state === 'closed') return entryClasses.closed;
  return findings.length > 0 ? entryClasses.mergedWithComments : entryClasses.mergedWithoutComments;
}

/** The UTC day by which windows find the record: of the merge, otherwise of the close. */
export function finishDayOf({ pullRequest }: ReviewRecord): number {
  const { state, mergedAt, closedAt, eventTime } = pullRequest;
  return dayOf((state === 'merged' ? mergedAt : closedAt) ?? eventTime);
}

function headText(facts: PullRequestFacts, orgId: string, repositoryId: string): string | null {
  if (facts.state === 'open') return null;
  const entry = {
    pr_url: facts.url,
    organization_id: orgId,
    repository_id: repositoryId,
    author_id: facts.authorId,
    merged_at: facts.state === 'merged' ? (facts.mergedAt?.toISOString() ?? null) : null,
  };
  return `${JSON.stringify(entry).slice(0, -1)},`;
}

function sameFindings(a: readonly Finding[], b: readonly Finding[]): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((finding, index) => {
      const other = b[index]!;
      return (
        finding.id === other.id &&
        finding.url === other.url &&
        finding.severity === other.severity &&
        finding.category === other.category
      );
    })
  );
}

// operator.md, postil.pull_request: new, merged again, or changed in more than `accepted` goes to the end of the
// write order; otherwise it stays in place.
function withPositions(
  before: ReviewRecord | undefined,
  after: ReviewRecord,
  eventIndex: number,
): ReviewRecord {
  const entryClass = classOf(after);
  const isSameEntry = before?.head === after.head && finishDayOf(before) === finishDayOf(after);
  const keepsPosition =
    isSameEntry && classOf(before) === entryClass && sameFindings(before.findings, after.findings);
  const hasMcp =
    after.pullRequest.state === 'merged' && after.mcp !== null && after.mcp.servers !== noServers;
  const keepsMcpPosition = isSameEntry && before.mcp?.servers === after.mcp?.servers;
  return {
    ...after,
    position: entryClass === null ? null : ((keepsPosition ? before.position : null) ?? { eventIndex }),
    mcpPosition: !hasMcp ? null : ((keepsMcpPosition ? before.mcpPosition : null) ?? { eventIndex }),
  };
}

function factsOf(data: PullRequestData, eventTime: Date): PullRequestFacts {
  return {
    url: data.url,
    state: data.state,
    eventTime,
    authorId: data.author_id ?? null,
    authorUsername: data.author_username ?? null,
    createdAt: data.created_at,
    readyForReviewAt: data.ready_for_review_at ?? null,
    firstHumanReviewAt: data.first_human_review_at ?? null,
    lastCommitAt: data.last_commit_at ?? null,
    mergedAt: data.merged_at ?? null,
    closedAt: data.closed_at ?? null,
    reviewIterations: data.review_iterations ?? null,
    estimatedComplexity: data.estimated_complexity ?? null,
    estimatedReviewMinutes: data.estimated_review_minutes ?? null,
  };
}

type SentFindings = NonNullable<PullRequestData['findings']>;

function findingsOf(sent: SentFindings): Finding[] {
  return sent.map(({ finding_id, url, severity, category }) => ({
    id: finding_id,
    url,
    severity: asSeverity(severity),
    category: asCategory(category),
  }));
}

type Judged = Pick<ReviewRecord, 'verdicts' | 'unannounced'>;

/** What is known after outcomes of one moment; the same object if none of them is newer. */
function withVerdicts(known: Judged, outcomes: readonly ReportedOutcome[], timeMs: number): Judged {
  const newer = outcomes.filter(
    ({ findingId }) => timeMs >= (known.verdicts.get(findingId)?.timeMs ?? -Infinity),
  );
  if (newer.length === 0) return known;
  const verdicts = new Map(known.verdicts);
  const unannounced = new Map(known.unannounced);
  for (const { findingId, accepted, signal, isAnnounced } of newer) {
    if (isAnnounced) unannounced.delete(findingId);
    else if (accepted !== (verdicts.get(findingId)?.accepted ?? null)) unannounced.set(findingId, signal);
    verdicts.set(findingId, { accepted, timeMs });
  }
  return { verdicts, unannounced };
}

/** The outcomes that a list of findings says something about. */
function outcomesIn(sent: SentFindings): ReportedOutcome[] {
  return sent.flatMap(({ finding_id: findingId, accepted }) =>
    accepted === undefined ? [] : [{ findingId, accepted, signal: null, isAnnounced: false }],
  );
}

/** A `postil.pull_request` event with the provider's ids of its tenant. */
export interface PullRequestReport {
  /** Index of the event in its request. */
  readonly index: number;
  readonly time: Date;
  readonly orgId: ProviderOrgId;
  readonly repositoryId: ProviderRepositoryId;
  readonly data: PullRequestData;
}

const nothingJudged: Judged = { verdicts: new Map(), unannounced: new Map() };

/** The record after one more event about the pull request; the same object if the event holds nothing newer. */
export function withPullRequest(
  record: ReviewRecord | undefined,
  { index, time, orgId, repositoryId, data }: PullRequestReport,
): ReviewRecord {
  const timeMs = time.getTime();
  const sent = data.findings;
  const isNewer = record === undefined || timeMs >= record.pullRequest.eventTime.getTime();
  const listsNewer = sent !== undefined && timeMs >= (record?.findingsTimeMs ?? -Infinity);
  const known = record ?? nothingJudged;
  const { verdicts, unannounced } = withVerdicts(known, outcomesIn(sent ?? []), timeMs);
  if (record !== undefined && !isNewer && !listsNewer && verdicts === known.verdicts) return record;
  const pullRequest = isNewer ? factsOf(data, time) : record.pullRequest;
  const after = {
    pullRequest,
    head: isNewer ? headText(pullRequest, orgId, repositoryId) : record.head,
    findings: listsNewer ? findingsOf(sent) : (record?.findings ?? []),
    findingsTimeMs: listsNewer ? timeMs : (record?.findingsTimeMs ?? null),
    verdicts,
    unannounced,
    mcp: record?.mcp ?? null,
    position: null,
    mcpPosition: null,
  };
  return withPositions(record, after, index);
}

/** The record after one more outcome of a finding, which may not be listed yet; its position does not change. */
export function withOutcome(record: ReviewRecord, outcome: ReportedOutcome, timeMs: number): ReviewRecord {
  const judged = withVerdicts(record, [outcome], timeMs);
  return judged === record ? record : { ...record, ...judged };
}

/** The record after one more report of MCP usage, which replaces an older one. */
export function withMcpUsage(record: ReviewRecord, mcp: McpUsage, eventIndex: number): ReviewRecord {
  if (record.mcp !== null && mcp.timeMs < record.mcp.timeMs) return record;
  return withPositions(record, { ...record, mcp }, eventIndex);
}
