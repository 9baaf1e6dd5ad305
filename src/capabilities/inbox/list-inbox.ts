import type { CallerContext } from '../../access/caller-context.ts';
import type { Database, Db, Fragment } from '../../db/database.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import { cutPage } from '../../lib/wire/one-page.ts';
import { type Severity, severities } from '../../reviewer/finding-vocabulary.ts';
import type { CheckVerdict, Report } from '../../reviewer/review-report.ts';
import type { RunStatus } from '../reviews/runs/run-record.ts';
import { type InboxFilter, isWanted, lastReport, peopleRows } from './select-open.ts';
import { whoseInbox } from './whose-inbox.ts';

export type InboxSort = 'newest' | 'oldest';

export interface InboxPosition {
  readonly openedAt: string;
  readonly repository: string;
  readonly number: number;
}

/** An open pull request and its state. */
export interface InboxRow {
  readonly organizationId: OrganizationId;
  readonly organizationName: string;
  readonly repository: string;
  readonly repositoryId: string;
  readonly repositoryName: string;
  readonly number: number;
  readonly url: string;
  readonly title: string | null;
  readonly author: string | null;
  readonly isDraft: boolean;
  readonly openedAt: Date;
  readonly updatedAt: Date;
  readonly added: number | null;
  readonly removed: number | null;
  readonly files: number | null;
  readonly head: string | null;
  /** Why it waits for the person, on whichever tab; null if it does not. */
  readonly waits: 'asked' | 'team' | 'owner' | null;
  readonly verdicts: readonly CheckVerdict[] | null;
  readonly findings: Readonly<Record<Severity, number>>;
  readonly risk: Report['risk'] | null;
  readonly areas: Report['walkthrough']['areas'] | null;
  readonly run: LastRun | null;
}

export interface LastRun {
  readonly id: string;
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly release: 'waiting' | 'released' | null;
  readonly head: string | null;
  readonly created_at: string;
}

/** A page of open pull requests. The cost depends only on the size of the page. */
export async function listInbox(
  { database: { sql } }: { readonly database: Database },
  context: Pick<CallerContext, 'scope' | 'principal'>,
  filter: InboxFilter & { readonly sort: InboxSort },
  page: { readonly after: InboxPosition | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly InboxRow[]; readonly next: InboxPosition | null }> {
  const whose = await whoseInbox(sql, context);
  const found = await sql<InboxRow[]>`${inboxStatement(sql, peopleRows(sql, whose), filter, page)}`;
  return cutPage(found, page.limit, ({ openedAt, repository, number }) => ({
    openedAt: openedAt.toISOString(),
    repository,
    number,
  }));
}

/** The statement of a page; exported so that a test can look at its plan. */
export function inboxStatement(
  db: Db,
  people: Fragment,
  filter: InboxFilter & { readonly sort: InboxSort },
  { after, limit }: { readonly after: InboxPosition | undefined; readonly limit: number },
): Fragment {
  const way = filter.sort === 'newest' ? db`DESC` : db`ASC`;
  const order = db`p.opened_at ${way}, p.repository_id ${way}, p.number ${way}`;
  const isFurther =
    after === undefined
      ? db``
      : db`AND (p.opened_at, p.repository_id, p.number) ${filter.sort === 'newest' ? db`<` : db`>`}
          (${after.openedAt}::timestamptz, ${after.repository}::uuid, ${after.number}::integer)`;
  return db`
    SELECT o.id AS "organizationId", o.name AS "organizationName", p.repository_id AS repository,
      r.provider_repository_id AS "repositoryId", r.name AS "repositoryName", p.number, p.url, p.title,
      p.author_username AS author, p.is_draft AS "isDraft", p.opened_at AS "openedAt", p.host_updated_at AS "updatedAt",
      p.lines_added AS added, p.lines_removed AS removed, p.files_changed AS files, p.head_revision AS head, p.waits,
      c.verdicts, report.risk, report.areas, run.run, found.findings
    FROM (
      SELECT p.*, ${whyWaiting(db)} AS waits
      FROM ${people}
      CROSS JOIN LATERAL (
        SELECT p.* FROM host_pull_requests p
        WHERE p.organization_id = me.id AND ${isWanted(db, filter)} ${isFurther}
        ORDER BY ${order} LIMIT ${limit + 1}) AS p
      ORDER BY ${order} LIMIT ${limit + 1}) AS p
    JOIN organizations o ON o.id = p.organization_id
    JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
    LEFT JOIN pull_request_checks c ON c.organization_id = p.organization_id AND c.repository_id = p.repository_id
      AND c.number = p.number AND c.head_revision = p.head_revision AND c.verdicts <> '[]'::jsonb
    LEFT JOIN LATERAL (
      SELECT last.report->'risk' AS risk, last.report->'walkthrough'->'areas' AS areas
      FROM (${lastReport(db)}) AS last) AS report ON true
    LEFT JOIN LATERAL (${lastRun(db)}) AS run ON true
    CROSS JOIN LATERAL (${openFindings(db)}) AS found
    ORDER BY ${order}`;
}

const whyWaiting = (db: Db) => db`
  CASE WHEN p.author_id = ANY(me.users) THEN NULL
    WHEN p.asked && me.asked THEN 'asked'
    WHEN p.asked && me.teams THEN 'team'
    WHEN p.owners && me.names AND NOT p.is_draft AND NOT p.reviewed_by && me.users THEN 'owner' END`;

const lastRun = (db: Db) => db`
  SELECT jsonb_build_object('id', r.id, 'status', r.status, 'reason', r.reason, 'release', r.release,
      'head', r.head_revision, 'created_at', r.created_at) AS run,
    r.release = 'waiting' AS is_waiting,
    ARRAY(SELECT q->>'finding_id' FROM jsonb_array_elements(coalesce(r.report->'quiet', '[]')) q) AS quiet
  FROM review_runs r
  WHERE r.organization_id = p.organization_id AND r.repository_id = p.repository_id AND r.pull_request = p.number
    AND r.status NOT IN ('superseded', 'cancelled')
  ORDER BY r.created_at DESC, r.id DESC LIMIT 1`;

/** The open findings by severity. Findings that rules raise quietly do not count, nor do those that wait for release. */
const openFindings = (db: Db) => db`
  SELECT jsonb_build_object(${severities
    .map((severity) => db`${severity}::text, count(*) FILTER (WHERE f.severity = ${severity})`)
    .reduce((all, one) => db`${all}, ${one}`)}) AS findings
  FROM review_findings f
  WHERE f.organization_id = p.organization_id AND f.repository_id = p.repository_id AND f.pull_request = p.number
    AND f.state = 'open' AND run.is_waiting IS NOT TRUE AND f.finding_id <> ALL(coalesce(run.quiet, '{}'))`;
