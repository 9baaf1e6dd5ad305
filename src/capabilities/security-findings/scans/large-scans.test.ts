import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import { finding, scannedOrganization } from '../../../../test/scanned-organization.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';

const app = await startTestApp();

test('a scan of twenty thousand findings is stored completely, also with CRLF line ends', async () => {
  const org = await scannedOrganization(app);
  const count = 20_000;
  const results = Array.from({ length: count }, (_, index) =>
    resultWith({ locations: [at(`src/${index % 100}.ts`, index + 1, `code(${index})`)] }),
  );
  const lines = [results, [resultWith()]].map((found, index) =>
    org.scan(index + 1, null, { sarif: logOf(found) }),
  );
  const answer = await app.call('POST', '/operator/v1/events', {
    body: lines.map((line) => `${JSON.stringify(line)}\r\n`).join(''),
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/x-ndjson' },
  });
  assert.equal(answer.json.accepted, 2, answer.text);
  assert.equal((await org.get('?state=fixed&format=csv')).text.split('\r\n').length, count + 2);
  assert.equal((await org.get()).json.data.length, 1);
});

test('a page can be sent whatever the length of its call stacks', async () => {
  const org = await scannedOrganization(app);
  const callStacks = Array.from({ length: 40 }, () => ['x'.repeat(100_000)]);
  await org.send(org.scan(1, [finding({ reachability: { callStacks } })]));
  const [row] = await org.all();
  assert.equal(row?.reachability.callStacks.length, 2);
});
