import type { RepositoryKey } from '../src/capabilities/learnings/learning-record.ts';
import type { TestApp } from './harness.ts';

/** Adds a comment that cites Learnings to pull request 7 of a repository. The comments are numbered from 1. */
export async function citeLearnings(
  { database: { sql }, now }: Pick<TestApp, 'database' | 'now'>,
  { organizationId, repositoryId }: RepositoryKey,
  learningIds: readonly string[],
  accepted: boolean | null,
): Promise<void> {
  const [before] = await sql`
    SELECT count(*)::int AS count FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = 7`;
  const number = before!.count + 1;
  await sql`
    INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
    VALUES (${organizationId}, ${repositoryId}, 7, 'https://git.test/7', 'open', false, 'r', '{}', ${now})
    ON CONFLICT DO NOTHING`;
  await sql`
    INSERT INTO review_findings (organization_id, repository_id, pull_request, finding_id, kind, lineage, quote, path, side,
      head_revision, in_diff, severity, category, title, body, source_kind, source_name, learning_ids, state, accepted,
      first_run_id, last_run_id, created_at, updated_at)
    VALUES (${organizationId}, ${repositoryId}, 7, ${`f${number}`}, 'k', 'l', 'q', 'src/a.ts', 'new', 'r', true, 'minor', 'c',
      ${`Finding ${number}`}, 'b', 'model', 'm', ${[...learningIds]}, 'open', ${accepted}, gen_random_uuid(), gen_random_uuid(), ${now}, ${now})`;
}
