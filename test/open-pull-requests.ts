import type { Db } from '../src/db/database.ts';

/** An open pull request as reported by a connected host, with the results of reviews and checks. */
export interface OpenPull {
  readonly number: number;
  readonly title?: string;
  readonly state?: 'open' | 'merged' | 'closed';
  readonly author?: string;
  readonly openedAt?: string;
  readonly isDraft?: boolean;
  readonly asked?: readonly string[];
  readonly owners?: readonly string[];
  readonly reviewedBy?: readonly string[];
}

/** Stores pull requests of a repository as if they had been read from a host. Their head is `h`. */
export async function storePulls(
  sql: Db,
  { organizationId, repositoryId }: { readonly organizationId: string; readonly repositoryId: string },
  pulls: readonly OpenPull[],
): Promise<void> {
  const rows = pulls.map((pull) => ({
    title: `Change ${pull.number}`,
    state: 'open',
    author: '9002',
    openedAt: new Date(Date.UTC(2026, 5, 1) + pull.number * 3_600_000).toISOString(),
    isDraft: false,
    asked: [],
    owners: [],
    reviewedBy: [],
    ...pull,
  }));
  await sql`
    INSERT INTO host_pull_requests (organization_id, repository_id, number, state, fingerprint, host_updated_at, read_at, opened_at, url,
      title, author_id, author_username, is_draft, head_revision, lines_added, lines_removed, files_changed, asked, owners, reviewed_by)
    SELECT ${organizationId}, ${repositoryId}, p.number, p.state, '', now(), now(), p."openedAt", 'https://git.test/pulls/' || p.number,
      p.title, p.author, 'user-' || p.author, p."isDraft", 'h', 120, 14, 3, p.asked, p.owners, p."reviewedBy"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS p (number integer, title text, state text, author text,
      "openedAt" timestamptz, "isDraft" boolean, asked text[], owners text[], "reviewedBy" text[])`;
}

/** Stores a finished review of such a pull request. */
export async function storeRun(
  sql: Db,
  { organizationId, repositoryId }: { readonly organizationId: string; readonly repositoryId: string },
  run: {
    readonly id: string;
    readonly pull: number;
    readonly status: string;
    readonly reason?: string;
    readonly head?: string;
  },
): Promise<void> {
  const risk = { level: 'high', reasons: ['changes a function with 7 callers'] };
  await sql`
    INSERT INTO review_runs (organization_id, id, repository_id, pull_request, trigger, mode, status, reason, head_revision,
      created_at, finished_at, actor_name, report)
    VALUES (${organizationId}, ${run.id}, ${repositoryId}, ${run.pull}, 'opened', 'full', ${run.status}, ${run.reason ?? null},
      ${run.head ?? 'h'}, now(), now(), 'postil', ${JSON.stringify({ risk, quiet: [], walkthrough: { areas: [] } })}::text::jsonb)`;
}

/** Stores the verdict of a check about such a pull request, which must have been reviewed. */
export async function storeVerdict(
  sql: Db,
  { organizationId, repositoryId }: { readonly organizationId: string; readonly repositoryId: string },
  { pull, verdict }: { readonly pull: number; readonly verdict: 'passed' | 'failed' },
): Promise<void> {
  const verdicts = [{ name: 'title', verdict, mode: 'error', text: 'The title does not say what changes.' }];
  await sql`
    INSERT INTO pull_request_checks (organization_id, repository_id, number, head_revision, basis, verdicts, state, evaluated_at)
    VALUES (${organizationId}, ${repositoryId}, ${pull}, 'h', 'b', ${JSON.stringify(verdicts)}::text::jsonb,
      ${verdict === 'failed' ? 'failure' : 'success'}, now())`;
}
