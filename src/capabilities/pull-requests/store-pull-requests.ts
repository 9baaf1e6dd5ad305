import type { Tx } from '../../db/database.ts';
import { arrayLiteral, plainArrayLiteral } from '../../db/driver/array-literal.ts';
import type { PullRequestKey, PullRequestState } from './pull-request-state.ts';

/** A pull request as its newest event reported it. */
export interface ReportedPullRequest {
  readonly key: PullRequestKey;
  readonly url: string;
  readonly state: PullRequestState;
  readonly eventTime: Date;
}

function reportedRows(tx: Tx, reported: readonly ReportedPullRequest[]) {
  return tx`unnest(${plainArrayLiteral(reported.map(({ key }) => key.organizationId))}::uuid[],
    ${plainArrayLiteral(reported.map(({ key }) => key.repositoryId))}::uuid[],
    ${plainArrayLiteral(reported.map(({ key }) => key.number))}::int[],
    ${arrayLiteral(reported.map(({ url }) => url))}::text[], ${arrayLiteral(reported.map(({ state }) => state))}::text[],
    ${arrayLiteral(reported.map(({ eventTime }) => eventTime))}::timestamptz[])
    AS r (organization_id, repository_id, number, url, state, event_time)`;
}

/** Inserts the pull requests that are new and returns how many; waits for transactions that insert the same ones. */
export async function insertPullRequests(tx: Tx, reported: readonly ReportedPullRequest[]): Promise<number> {
  const { count } = await tx`
    INSERT INTO pull_requests (organization_id, repository_id, number, url, state, event_time)
    SELECT * FROM ${reportedRows(tx, reported)}
    ON CONFLICT DO NOTHING`;
  return count;
}

/** Replaces what is stored about existing pull requests. */
export async function updatePullRequests(tx: Tx, reported: readonly ReportedPullRequest[]): Promise<void> {
  if (reported.length === 0) return;
  await tx`
    UPDATE pull_requests p SET url = r.url, state = r.state, event_time = r.event_time
    FROM ${reportedRows(tx, reported)}
    WHERE p.organization_id = r.organization_id AND p.repository_id = r.repository_id AND p.number = r.number`;
}
