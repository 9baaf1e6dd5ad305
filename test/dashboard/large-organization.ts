import type { Db } from '../../src/db/database.ts';
import type { TestApp } from '../harness.ts';
import { member, organization } from '../sample-platform.ts';

export const peopleCount = 2000;
export const repositoryCount = 300;
export const findingCount = 5000;
const learningCount = 500;
export const pendingCount = 600;

const number = (index: number, digits: number) => String(index).padStart(digits, '0');

async function fillFindings(db: Db, orgId: string): Promise<void> {
  await db`
    INSERT INTO security_findings (organization_id, id, repository_id, fingerprint, rule_id, title, description,
      severity, cwe, file_path, start_line, end_line, revision, scan_id, coverage_scope, first_detected_at, last_seen_at)
    SELECT r.organization_id, gen_random_uuid(), r.id, 'pf1-' || md5(n::text) || '00000000', 'rule-' || n % 40,
      'Finding ' || lpad(n::text, 4, '0') || ' with a title as long as scanners write them', 'What is wrong, and why.',
      (ARRAY['critical', 'high', 'medium', 'low', 'info'])[1 + n % 5], '{CWE-79}', 'src/module-' || n % 25 || '/handler.ts',
      n, n + 2, 'abc123', 'scan', 'repository', timestamptz '2026-01-01' + n * interval '1 hour', '2026-08-01'
    FROM generate_series(1, ${findingCount}::int) AS n
    JOIN organizations o ON o.provider_organization_id = ${orgId}
    JOIN repositories r ON r.organization_id = o.id AND r.provider_repository_id = 'r' || (n % ${repositoryCount})`;
}

async function fillLearnings(db: Db, orgId: string): Promise<void> {
  await db`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
      pull_requests, approval, redactor_version, created_at, updated_at, usage_count, last_used_at, index_due_at, index_version)
    SELECT r.organization_id, gen_random_uuid(), r.id, 'Learning ' || n || ': prefer the clear way over the clever one.',
      sha256(n::text::bytea), '9001', 'api', 'shared', '{}', 'approved', 1, timestamptz '2026-01-01' + n * interval '1 hour',
      '2026-01-01', n % 7, CASE WHEN n % 7 = 0 THEN NULL ELSE timestamptz '2026-06-01' END, '2100-01-01', 0
    FROM generate_series(1, ${learningCount}::int) AS n
    JOIN organizations o ON o.provider_organization_id = ${orgId}
    JOIN repositories r ON r.organization_id = o.id AND r.provider_repository_id = 'r' || (n % ${repositoryCount})`;
}

async function fillQueue(db: Db, orgId: string): Promise<void> {
  await db`
    INSERT INTO learnings (organization_id, id, repository_id, learning, content_hash, author_id, origin, visibility,
      pull_requests, approval, approval_deadline, redactor_version, created_at, updated_at, usage_count, index_due_at, index_version)
    SELECT r.organization_id, gen_random_uuid(), r.id, 'Pending ' || lpad(n::text, 3, '0') || ': say what you mean.',
      sha256(('pending ' || n)::bytea), '9001', 'chat', 'shared', '{}', 'pending', timestamptz '2100-01-01' + n * interval '1 hour',
      1, '2026-01-01', '2026-01-01', 0, '2100-01-01', 0
    FROM generate_series(1, ${pendingCount}::int) AS n
    JOIN organizations o ON o.provider_organization_id = ${orgId}
    JOIN repositories r ON r.organization_id = o.id AND r.provider_repository_id = 'r' || (n % ${repositoryCount})`;
}

/**
 * Creates an organization with 2,000 people, 300 repositories, 5,000 security findings, 500 Learnings and 600 pending ones; its
 * admin is user-9001.
 */
export async function largeOrganization(app: TestApp, orgId: string): Promise<{ id: string }> {
  const members = Array.from({ length: peopleCount - 1 }, (_, index) =>
    member(`p${number(index, 4)}`, { username: `person-${number(index, 4)}`, email: `p${index}@large.test` }),
  );
  const repositories = Array.from({ length: repositoryCount }, (_, index) => ({
    provider_repository_id: `r${index}`,
    name: `service-with-a-long-name-${number(index, 3)}`,
  }));
  const admin = member('9001', { role: 'cr_admin' });
  await app.platform({
    organizations: [
      organization({
        provider_organization_id: orgId,
        name: 'large',
        seats_purchased: 1500,
        repositories,
        members: [admin, ...members],
      }),
    ],
  });
  await fillFindings(app.database.sql, orgId);
  await fillLearnings(app.database.sql, orgId);
  await fillQueue(app.database.sql, orgId);
  const [row] = await app.database
    .sql`SELECT id FROM organizations WHERE provider_organization_id = ${orgId}`;
  return { id: row!.id };
}
