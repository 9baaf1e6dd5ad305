import assert from 'node:assert/strict';
import { startTestApp } from '../harness.ts';
import { samplePlatform } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, assertOnScale, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';
import { openWithin } from './navigation.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform(samplePlatform());
const { sql } = server.database;
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const [own] = await sql<{ organizationId: string; repositoryId: string; id: string }[]>`
  SELECT o.id AS "organizationId", r.id AS "repositoryId", r.provider_repository_id AS id
  FROM organizations o JOIN repositories r ON r.organization_id = o.id
  WHERE o.provider_organization_id = '1001' ORDER BY r.name LIMIT 1`;
const { organizationId, repositoryId, id } = own!;
const address = `/organizations/${organizationId}/checks`;
const head = 'a'.repeat(40);
const text =
  'src/checkout/orders/calculate-discounts.ts changed, but nothing in docs/**. Run npm run generate.';
const verdicts = [
  { name: 'title', verdict: 'failed', mode: 'error', text: 'The title does not match ^(feat|fix): .+.' },
  { name: 'api-docs', verdict: 'failed', mode: 'warning', text },
  { name: 'size', verdict: 'passed', mode: 'warning', text: '12 changed lines in 2 files.' },
];
const at = new Date(server.now.getTime() - 3_600_000);
await sql`
  INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
  SELECT ${organizationId}, ${repositoryId}, n, 'https://github.test/acme/api/pull/' || n, 'open', false, ${head},
    jsonb_build_object('title', 'Discounts for returning customers ' || n), ${at}::timestamptz FROM generate_series(1, 3) n`;
await sql`
  INSERT INTO pull_request_checks (organization_id, repository_id, number, head_revision, basis, verdicts, state, evaluated_at)
  SELECT ${organizationId}, ${repositoryId}, n, ${head}, '',
    CASE WHEN n = 1 THEN ${JSON.stringify(verdicts)}::text::jsonb ELSE ${JSON.stringify(verdicts.slice(2))}::text::jsonb END,
    CASE WHEN n = 1 THEN 'failure' ELSE 'success' END, ${at}::timestamptz FROM generate_series(1, 3) n`;
await sql`
  INSERT INTO check_records (organization_id, repository_id, number, check_name, first_at, failures, failed_at, held_at,
    failing_at)
  SELECT ${organizationId}, ${repositoryId}, n, check_name, ${at}::timestamptz, (n < 3)::integer,
    CASE WHEN n < 3 THEN ${at}::timestamptz END, CASE WHEN n > 1 THEN ${at}::timestamptz + interval '40 minutes' END,
    CASE WHEN n = 1 THEN ${at}::timestamptz END
  FROM generate_series(1, 3) n, unnest(ARRAY['title', 'api-docs', 'postil/checks']) AS check_name`;
await sql`
  INSERT INTO check_overrides (organization_id, id, repository_id, number, head_revision, check_name, actor_id, actor_name,
    reason, comment_url, created_at)
  VALUES (${organizationId}, gen_random_uuid(), ${repositoryId}, 2, ${head}, 'title', '9001', 'ada',
    'The release train leaves today; agreed with the team', 'https://github.test/acme/api/pull/2#1', ${at})`;
await sql`
  INSERT INTO branch_checks (organization_id, repository_id, branch, revision, file, checks, notes, read_at)
  VALUES (${organizationId}, ${repositoryId}, 'main', ${head}, '.postil.yaml',
    '{"title": {"pattern": "^(feat|fix|docs|refactor|perf|test|chore)(\\\\(.+\\\\))?!?: .+", "mode": "error"}, "size": {"max_lines": 400}}', '{}', ${at})`;
await sql`
  INSERT INTO review_settings (organization_id, other_reviewers, ast_grep_rules, allow_mcp_for_forks, defaults, enforced_checks, updated_at)
  VALUES (${organizationId}, '{}', '{}', false, '{}', '{"size": {"max_lines": 800, "mode": "error"}}', ${at})`;

async function visitorAs(email: string, options: Parameters<typeof browser.visitor>[0] = {}) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor(options);
  const [key, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name: key, value, url }]);
  return visitor;
}

/** The query of every part of the page, with a text that its data contains. */
const parts: Record<string, string> = {
  '': text,
  [`?show=repository&repository=${id}`]: 'max_lines: 400',
  '?show=metrics': '66.7%',
  '?show=overrides': 'The release train leaves today; agreed with the team',
  '?show=enforced': 'These checks apply to every repository',
};

for (const [appearance, options] of [
  ['light and wide', {}],
  ['dark and 390 px wide', { colorScheme: 'dark', width: 390 }],
] as const)
  test(`every part about checks shows its data, accessible and without overflow: ${appearance}`, async () => {
    const guest = await visitorAs('user-9001@acme.test', options);
    for (const [query, expected] of Object.entries(parts)) {
      const place = `checks${query}, ${appearance}`;
      await openWithin(guest.page, `${address}${query}`);
      await guest.page.getByText(expected).first().waitFor();
      await assertAccessible(guest.page, place);
      await assertOnScale(guest.page, place);
      await assertClean(guest, place);
    }
  });

test('from a number to its pull requests, and to the checks in force in their repository, by keyboard', async () => {
  const { page } = await visitorAs('user-9002@acme.test');
  await page.goto(`${address}?show=metrics`);
  const number = page.getByRole('row', { name: /^title/ }).getByRole('button', { name: /^2 \(/ });
  await number.focus();
  await page.keyboard.press('Enter');
  await page.getByText('The title does not match').waitFor();
  assert.equal(await page.getByRole('row').count(), 2, 'headings and one pull request');
  const held = page.getByRole('button', { name: /^Checks that apply to / });
  await held.focus();
  await page.keyboard.press('Enter');
  const size = page.getByRole('row', { name: /^size/ });
  await size.getByText('enforced by the organization').first().waitFor();
  await size.getByText('repository file').waitFor();
  const choices = await page
    .getByRole('combobox', { name: 'What to show' })
    .locator('option')
    .allTextContents();
  assert.ok(!choices.includes('Enforced checks'), 'members enforce nothing');
});

test('an admin enforces checks: errors are shown at their lines without saving; a valid change is saved and audited', async () => {
  const { page } = await visitorAs('user-9001@acme.test');
  await page.goto(`${address}?show=enforced`);
  const editor = page.getByRole('textbox', { name: 'Enforced checks' });
  await editor.fill('size: { max_lines: 800 }\ntitle:\n  pattern: "("\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('alert')
    .getByText(/^line 3: title\.pattern: /)
    .waitFor();
  const stored = async () =>
    (
      await sql`SELECT enforced_checks AS checks FROM review_settings WHERE organization_id = ${organizationId}`
    )[0]!.checks;
  assert.deepEqual(await stored(), { size: { max_lines: 800, mode: 'error' } });
  await editor.fill('title: { pattern: "^feat: ", mode: error }\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Enforced checks saved').waitFor();
  assert.deepEqual(await stored(), { title: { pattern: '^feat: ', mode: 'error' } });
  const audited = await sql`
    SELECT metadata FROM audit_entries WHERE organization_id = ${organizationId} AND action = 'review_settings.updated'`;
  assert.deepEqual(
    audited.map(({ metadata }) => metadata.changed),
    [['enforced_checks']],
  );
});
