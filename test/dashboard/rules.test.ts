import assert from 'node:assert/strict';
import { startTestApp } from '../harness.ts';
import { type StoredFinding, storeFindings } from '../posted-findings.ts';
import { samplePlatform } from '../sample-platform.ts';
import { signInAs } from '../session.ts';
import { assertAccessible, assertClean, startBrowser } from './browser.ts';
import { buildDashboard } from './build-dashboard.ts';
import { test } from './chromium.ts';

await buildDashboard();
const server = await startTestApp();
server.now = new Date();
await server.platform(samplePlatform());
const url = await server.app.server.listen({ host: '127.0.0.1', port: 0 });
const browser = await startBrowser(url);
const [own] = await server.database.sql<{ organizationId: string; repositoryId: string }[]>`
  SELECT o.id AS "organizationId", r.id AS "repositoryId" FROM organizations o JOIN repositories r ON r.organization_id = o.id
  WHERE o.provider_organization_id = '1001' LIMIT 1`;
const address = `/organizations/${own!.organizationId}/rules`;

/** Comments of a rule: `count` of them, of which `accepted` were accepted; the last one has no verdict. */
const comments = (rule: string, count: number, accepted: number): StoredFinding[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${rule} ${index}`,
    pull: 1 + (index % 5),
    rules: [rule],
    accepted: index === count - 1 ? null : index < accepted,
    chance: 0.12,
  }));
await storeFindings(server.database.sql, own!, [
  ...comments('ruff/F401', 61, 2),
  ...comments('oxlint/no-unused-vars', 120, 71),
  ...comments('patterns/code-from-text', 9, 6),
  ...comments('semgrep/javascript.lang.security.audit.detect-non-literal-regexp', 33, 1),
]);

async function visitorAs(email: string, options: Parameters<typeof browser.visitor>[0] = {}) {
  const { cookie } = await signInAs(server, email);
  const visitor = await browser.visitor(options);
  const [name, value] = cookie.split('=') as [string, string];
  await visitor.context.addCookies([{ name, value, url }]);
  return visitor;
}

test('the board of rules shows the outcomes of their comments, has filters, and lets admins re-enable rules', async () => {
  const admin = await visitorAs('user-9001@acme.test');
  const { page } = admin;
  await page.goto(address);
  const row = page.getByRole('row', { name: /ruff\/F401/ });
  await row.getByText('Quiet', { exact: true }).waitFor();
  await row.getByText('2 of 60').waitFor();
  await row.getByText('12.0%').waitFor();
  await page.getByRole('button', { name: /^Quiet/ }).click();
  await page.getByRole('row', { name: /oxlint\/no-unused-vars/ }).waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('row').count(), 3, 'headings and two quiet rules');
  await assertAccessible(page, 'the board');
  await page.getByRole('combobox', { name: 'Setting of ruff/F401' }).selectOption('pinned');
  await page.getByText('ruff/F401 is now pinned').waitFor();
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Pinned/ }).click();
  await row.waitFor();
  await page.getByRole('combobox', { name: 'Setting of ruff/F401' }).selectOption('automatic');
  await page.getByText('ruff/F401 is now quiet').waitFor();
  await page.goto(`${address}?untried=true&search=no-debugger`);
  await page.getByRole('row', { name: /oxlint\/no-debugger/ }).waitFor();
  await assertClean(admin, 'the board');
});

test('members see the board, and decide nothing', async () => {
  const { page } = await visitorAs('user-9002@acme.test');
  await page.goto(address);
  await page.getByRole('row', { name: /ruff\/F401/ }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: /^Setting of/ }).count(), 0);
});
