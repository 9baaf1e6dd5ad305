import type { Db } from '../src/db/database.ts';

/** A finding of a pull request, as stored after its review and evaluation. */
export interface StoredFinding {
  readonly id: string;
  readonly pull: number;
  readonly rules: readonly string[];
  readonly severity?: string;
  readonly isPosted?: boolean;
  readonly accepted?: boolean | null;
  readonly chance?: number | null;
  readonly postedAt?: Date;
}

/** Stores findings of pull requests of a repository, without a host and without reviews. */
export async function storeFindings(
  sql: Db,
  repository: { readonly organizationId: string; readonly repositoryId: string },
  findings: readonly StoredFinding[],
): Promise<void> {
  const { organizationId, repositoryId } = repository;
  for (const number of new Set(findings.map(({ pull }) => pull)))
    await sql`
      INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
      VALUES (${organizationId}, ${repositoryId}, ${number}, ${`https://git.test/pulls/${number}`}, 'open', false, 'h', '{}', now())
      ON CONFLICT DO NOTHING`;
  const rows = findings.map((finding) => ({
    severity: 'minor',
    isPosted: true,
    accepted: null,
    chance: null,
    postedAt: new Date('2026-06-01'),
    ...finding,
  }));
  await sql`
    INSERT INTO review_findings (organization_id, repository_id, pull_request, finding_id, kind, lineage, quote, path, side,
      head_revision, in_diff, severity, category, title, body, source_kind, source_name, rules, learning_ids, state, accepted, chance,
      comment_id, posted_at, first_run_id, last_run_id, created_at, updated_at)
    SELECT ${organizationId}, ${repositoryId}, f.pull, f.id, f.rules[1], 'a', 'q', 'a', 'new', 'h', true, f.severity,
      'functional_correctness', 't', 'b', 'rule', f.rules[1], f.rules, '{}', 'open', f.accepted, f.chance,
      CASE WHEN f."isPosted" THEN f.id END, CASE WHEN f."isPosted" THEN f."postedAt" END, gen_random_uuid(), gen_random_uuid(), now(), now()
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS f (id text, pull integer, rules text[], severity text,
      "isPosted" boolean, accepted boolean, chance double precision, "postedAt" timestamptz)`;
}
