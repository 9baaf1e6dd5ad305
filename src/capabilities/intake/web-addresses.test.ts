import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../test/harness.ts';
import { cloudEvent, finding, pullRequest } from '../../../test/review-events.ts';
import { sampleKeys, samplePlatform } from '../../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const key = await server.createKey(sampleKeys.organization);

const unsafe = [
  'javascript:alert(1)',
  'JavaScript://github.test/%0aalert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'ftp://github.test/acme/api/pull/1',
  'blob:https://github.test/1',
  '//github.test/acme/api/pull/1',
  'github.test/acme/api/pull/1',
  '/acme/api/pull/1',
  'https:',
  'https://',
  'https://github test/',
  ' https://github.test/acme/api/pull/1',
  'https://github.test/\n=1+1',
  'https://github.test/\u202egpj.exe',
  `https://github.test/${'a'.repeat(2048)}`,
  '',
];

/** By the field: an event that gives a URL there. */
const events: Record<string, (url: string) => object> = {
  'data.url': (url) => cloudEvent('postil.pull_request', pullRequest({ url })),
  'data.findings[0].url': (url) =>
    cloudEvent('postil.pull_request', pullRequest({ findings: [finding({ url })] })),
  'data.pr_url': (pr_url) =>
    cloudEvent('postil.finding_outcome', { pr_url, finding_id: 'one', accepted: true }),
  'data.pr_url ': (pr_url) => cloudEvent('postil.mcp_usage', { pr_url, servers: [] }),
  'data.pr_url  ': (pr_url) =>
    cloudEvent('postil.learning_used', { learning_id: '01890000-0000-7000-8000-000000000000', pr_url }),
  'data.source_url': (source_url) =>
    cloudEvent('postil.learning_captured', {
      repository_id: '501',
      learning: 'Use tabs.',
      author_id: '9002',
      origin: 'chat',
      source_url,
    }),
};

test('an event that gives any other URL than http or https fails, and says where; the others go on', async () => {
  for (const [field, eventWith] of Object.entries(events)) {
    const good = cloudEvent('postil.pull_request', pullRequest());
    const { status, json } = await server.events([...unsafe.map(eventWith), good]);
    assert.deepEqual([status, json.accepted, json.failed], [200, 1, unsafe.length], field);
    for (const [index, error] of json.errors.entries()) {
      assert.deepEqual([error.index, error.code], [index, 'INVALID_REQUEST'], field);
      assert.ok(error.message.startsWith(field.trim()), `${error.message} for ${unsafe[index]}`);
    }
  }
});

test('a single event with such a URL is 400', async () => {
  const answer = await server.call('POST', '/operator/v1/events', {
    body: events['data.url']!('javascript:alert(1)'),
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
  });
  assert.deepEqual([answer.status, answer.json.error.code], [400, 'INVALID_REQUEST']);
  assert.match(answer.json.error.message, /url: must be an http or https URL/);
});

test('http and https URLs are taken as they are', async () => {
  for (const url of [
    'http://git.local:3000/a/b/pulls/7',
    'HTTPS://github.test/ä/%20?q=a b'.replace(' ', '+'),
    'https://[2001:db8::1]/acme/api/pull/8#discussion_r1',
    'https://git.acme.test/a/b/-/merge_requests/9#note_1',
  ]) {
    const pull = pullRequest({ url, findings: [finding({ url })] });
    const { json } = await server.events([cloudEvent('postil.pull_request', pull)]);
    assert.deepEqual([json.accepted, json.errors], [1, []], url);
    const listed = await server.get(
      '/v1/metrics/review-comments?start_date=2026-03-01&end_date=2026-03-31',
      key,
    );
    const entry = listed.json.data.find((one: { pr_url: string }) => one.pr_url === url);
    assert.equal(entry.coderabbit_comments[0].url, url);
  }
});

test('a platform document with such a URL is 400, and nothing of it is applied', async () => {
  for (const url of unsafe) {
    const instances = [{ slug: 'odd', provider: 'gitea', url }];
    const answer = await server.operator('PUT', '/operator/v1/platform', { instances });
    assert.equal(answer.status, 400, url);
    assert.match(answer.json.error.message, /instances\[0\]\.url/);
  }
});

test('links of a SARIF log that are none to the web are not handed out', async () => {
  const text = { text: 'unsafe' };
  const rules = unsafe.map((helpUri, index) => ({ id: `rule-${index}`, helpUri }));
  const location = {
    physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 1 } },
  };
  const results = rules.map(({ id: ruleId }) => ({ ruleId, message: text, locations: [location] }));
  const tool = { driver: { name: 'scanner', informationUri: 'javascript:alert(1)', rules } };
  const sarif = { version: '2.1.0', runs: [{ tool, results }] };
  const scan = { repository_id: '501', scan_id: 's1', revision: 'r1', coverage_scope: 'repository', sarif };
  const { json } = await server.events([cloudEvent('postil.security_scan', scan)]);
  assert.deepEqual([json.accepted, json.errors], [1, []]);
  const exported = await server.get('/v1/security/scans/code?format=sarif', key);
  const [run] = JSON.parse(exported.text).runs;
  assert.equal(run.results.length, unsafe.length);
  assert.equal(run.tool.driver.informationUri, undefined);
  for (const { helpUri } of run.tool.driver.rules) assert.match(helpUri ?? 'https:', /^https:/);
});
