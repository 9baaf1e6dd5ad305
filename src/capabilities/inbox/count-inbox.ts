import type { CallerContext } from '../../access/caller-context.ts';
import { organizationIdsOf } from '../../access/org-scope.ts';
import type { Database } from '../../db/database.ts';
import { type InboxTab, isWanted, peopleRows } from './select-open.ts';
import { whoseInbox } from './whose-inbox.ts';

/** The number of pull requests on each tab, and facts that explain an empty tab. */
export interface InboxSummary {
  readonly waiting: number;
  readonly mine: number;
  readonly all: number;
  /** Whether the person has an account at the host, so that something can be theirs. */
  readonly has_account: boolean;
  readonly is_connected: boolean;
  /** Whether any pull request was read, open or not. */
  readonly has_read: boolean;
  /** Whether there are repositories whose open pull requests have not been read yet. */
  readonly is_reading: boolean;
}

/** Counting stops here: nobody reads a larger number, and counting takes time. */
export const maxCounted = 1000;

export async function countInbox(
  { database: { sql } }: { readonly database: Database },
  context: Pick<CallerContext, 'scope' | 'principal'>,
): Promise<InboxSummary> {
  const whose = await whoseInbox(sql, context);
  const ids = [...organizationIdsOf(context.scope)];
  const people = peopleRows(sql, whose);
  const count = (tab: InboxTab) => sql`
    (SELECT count(*)::int FROM (
      SELECT 1 FROM ${people} JOIN host_pull_requests p ON p.organization_id = me.id WHERE ${isWanted(sql, { tab })}
      LIMIT ${maxCounted}) AS counted)`;
  const [counted] = await sql<Omit<InboxSummary, 'has_account'>[]>`
    SELECT ${count('waiting')} AS waiting, ${count('mine')} AS mine, ${count('all')} AS all,
      EXISTS (SELECT 1 FROM connection_organizations WHERE organization_id = ANY(${ids}::uuid[])) AS is_connected,
      EXISTS (SELECT 1 FROM host_pull_requests WHERE organization_id = ANY(${ids}::uuid[])) AS has_read,
      EXISTS (SELECT 1 FROM connection_repositories s JOIN connections c ON c.id = s.connection_id
        JOIN repositories r ON r.organization_id = s.organization_id AND r.id = s.repository_id
        WHERE s.organization_id = ANY(${ids}::uuid[]) AND s.open_state IS NULL AND NOT c.paused AND r.active) AS is_reading`;
  return { ...counted!, has_account: whose.some(({ users }) => users.length > 0) };
}
