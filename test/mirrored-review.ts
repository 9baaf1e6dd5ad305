import { cp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { initRepository, writeRef } from './git-objects.ts';
import { makeRepository } from './git-repository.ts';
import type { TestApp } from './harness.ts';

type Contents = Record<string, string | Buffer>;

/** The parts of a made-up review that a test can choose. */
interface MadeReview {
  readonly number?: number;
  readonly findings?: readonly Record<string, unknown>[];
  readonly report?: unknown;
  readonly head?: string;
  readonly at?: Date;
  readonly status?: string;
}

/** Creates a pull request of repository 501 of an organization, whose commits are in the server's mirror, without a host. */
export async function mirrorPullRequest(
  { app, mirrorsFolder }: { readonly app: TestApp; readonly mirrorsFolder: string },
  organizationId: string,
  {
    before,
    change,
  }: { before: Contents; change: (git: Awaited<ReturnType<typeof makeRepository>>) => Promise<unknown> },
) {
  const { sql } = app.database;
  const [repository] = await sql`
    SELECT id FROM repositories WHERE organization_id = ${organizationId} AND provider_repository_id = '501'`;
  const git = await makeRepository();
  const base = await git.commit({ 'readme.md': 'A project.\n', ...before });
  await change(git);
  const head = await git.commit();
  const folder = path.join(mirrorsFolder, `${organizationId}-${repository!.id}.git`);
  await initRepository(folder, { isBare: true });
  await writeFile(path.join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  await cp(path.join(git.folder, '.git', 'objects'), path.join(folder, 'objects'), { recursive: true });
  await writeRef(folder, `refs/postil/${head}`, head);
  return {
    git,
    base,
    head,
    folder,
    /** Stores a finished review of it, and returns its id. */
    async review({
      number = 7,
      findings = [],
      report = null,
      at = app.now,
      status = 'succeeded',
      ...more
    }: MadeReview = {}) {
      const key = { organization_id: organizationId, repository_id: repository!.id };
      const facts = {
        author: { id: '9002', username: 'user-9002', isBot: false },
        labels: ['billing'],
        base: { sha: base, ref: 'main' },
        isFork: false,
        title: 'Totals with discounts',
        description: '',
      };
      const revision = more.head ?? head;
      await sql`
        INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
        VALUES (${key.organization_id}, ${key.repository_id}, ${number}, ${`https://host.test/acme/api/pull/${number}`}, 'open', false,
          ${revision}, ${JSON.stringify(facts)}::text::jsonb, ${at}) ON CONFLICT DO NOTHING`;
      const [row] = await sql`
        INSERT INTO review_runs (organization_id, id, repository_id, pull_request, pr_url, trigger, mode, status, base_revision,
          head_revision, created_at, started_at, finished_at, actor_name, report, coverage, estimated_complexity, estimated_review_minutes)
        VALUES (${key.organization_id}, gen_random_uuid(), ${key.repository_id}, ${number}, ${`https://host.test/acme/api/pull/${number}`},
          'push', 'incremental', ${status}, ${base}, ${revision}, ${at}, ${at}, ${at}, 'postil',
          ${report === null ? null : JSON.stringify(report)}::text::jsonb, '[]'::jsonb, 2, 5) RETURNING id`;
      for (const [position, finding] of findings.entries()) {
        const all = {
          finding_id: `finding-${position}`,
          path: 'src/a.ts',
          side: 'new',
          start_line: 1,
          end_line: 1,
          severity: 'major',
          category: 'functional_correctness',
          title: 'A fault',
          body: 'It is wrong.',
          suggestion: null,
          source_kind: 'rule',
          source_name: 'oxlint/no-eval',
          learning_ids: [],
          quote: '',
          in_diff: true,
          related: [],
          confidence: 'proven',
          rules: ['oxlint/no-eval'],
          ...finding,
        };
        await sql`
          INSERT INTO review_run_findings (organization_id, run_id, position, finding_id, path, side, start_line, end_line, severity,
            category, title, body, suggestion, source_kind, source_name, learning_ids, quote, in_diff, related, confidence, rules)
          VALUES (${key.organization_id}, ${row!.id}, ${position}, ${all.finding_id}, ${all.path}, ${all.side}, ${all.start_line},
            ${all.end_line}, ${all.severity}, ${all.category}, ${all.title}, ${all.body}, ${all.suggestion}, ${all.source_kind},
            ${all.source_name}, ${all.learning_ids}, ${all.quote}, ${all.in_diff}, ${JSON.stringify(all.related)}::text::jsonb,
            ${all.confidence}, ${all.rules})`;
      }
      return row!.id as string;
    },
  };
}
