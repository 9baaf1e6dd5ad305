import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorToken, startTestApp } from '../../../../test/harness.ts';
import { scannedOrganization } from '../../../../test/scanned-organization.ts';
import { at, logOf, resultWith } from '../../../lib/sarif/fixtures/logs.ts';

const app = await startTestApp();
const result = (title: string, fields: Record<string, unknown> = {}) =>
  resultWith({ ruleId: title, message: { text: title }, ...fields });
/** A result that cannot be read, about the rule and file of `result(title)`. */
const broken = (title: string) => ({ ruleId: title, locations: [at('src/app.ts', 3)] });

test('one unreadable result does not invalidate a scan: the others are stored and it is reported', async () => {
  const org = await scannedOrganization(app);
  const invalid = [
    { ruleId: 'x', locations: [at('src/app.ts', 3)] },
    result('x', { fingerprints: { id: {} } }),
    result('x', { level: 7 }),
    'text',
  ];
  const answer = await app.events([
    org.scan(1, null, { sarif: logOf([result('a'), ...invalid, result('b')]) }),
    org.scan(2, [], { tool: 'other' }),
  ]);
  const { warnings, ...rest } = answer.json;
  assert.deepEqual(rest, { accepted: 2, duplicate: 0, failed: 0, errors: [] });
  assert.deepEqual(
    warnings.map(({ index, code }: { index: number; code: string }) => [index, code]),
    invalid.map(() => [0, 'PARTLY_READ']),
  );
  const messages = warnings.map(({ message }: { message: string }) => message.split(': ', 1)[0]);
  assert.deepEqual(
    messages,
    ['[1].message', '[2].fingerprints.id', '[3].level', '[4]'].map(
      (place) => `data.sarif.runs[0].results${place}`,
    ),
  );
  assert.deepEqual(await org.states(), { a: 'open', b: 'open' });
});

test('a flawless scan has no warnings', async () => {
  const org = await scannedOrganization(app);
  const answer = await app.events([org.scan(1, null, { sarif: logOf([result('a')]) })]);
  assert.deepEqual(answer.json, { accepted: 1, duplicate: 0, failed: 0, errors: [] });
});

test('thousands of unreadable results are reported briefly', async () => {
  const org = await scannedOrganization(app);
  const answer = await app.events([
    org.scan(1, null, { sarif: logOf([result('a'), ...Array.from({ length: 2_000 }, () => 5)]) }),
  ]);
  assert.equal(answer.json.accepted, 1);
  assert.equal(answer.json.warnings.length, 21);
  assert.match(answer.json.warnings[20].message, /: 1980 more results/);
});

test('an unreadable result closes no finding that it may be about', async () => {
  const org = await scannedOrganization(app);
  const others = ['kept', 'closed'].map((title) => result(title));
  const elsewhere = result('kept', { message: { text: 'elsewhere' }, locations: [at('lib/b.ts', 1)] });
  await org.send(org.scan(1, null, { sarif: logOf([...others, elsewhere]) }));
  await app.events([org.scan(2, null, { sarif: logOf([broken('kept')]) })]);
  assert.deepEqual(await org.states(), { kept: 'open', closed: 'fixed', elsewhere: 'fixed' });
  await app.events([org.scan(3, null, { sarif: logOf([...others, elsewhere]) })]);
  await app.events([org.scan(4, null, { sarif: logOf([3]) })]);
  assert.deepEqual(await org.states(), { kept: 'open', closed: 'open', elsewhere: 'open' });
});

test('a late scan knows which later ones could not have shown its findings', async () => {
  const org = await scannedOrganization(app);
  const scans = [
    org.scan(2, null, { sarif: logOf([broken('kept')]) }),
    org.scan(1, null, { sarif: logOf([result('kept'), result('closed')]) }),
  ];
  for (const scan of scans) assert.equal((await app.events([scan])).json.accepted, 1);
  assert.deepEqual(await org.states(), { kept: 'open', closed: 'fixed' });
  await org.send(org.scan(3, null, { sarif: logOf([]) }));
  const rows = (await org.all()).map(({ title, fixed_at }) => [title, fixed_at?.slice(8, 10)]);
  assert.deepEqual(rows, [
    ['closed', '02'],
    ['kept', '03'],
  ]);
});

test('unstorable characters in a SARIF log are harmless, in fields that are kept or not', async () => {
  const org = await scannedOrganization(app);
  const bad = 'a\0b\uD800';
  const results = [
    result('unused', { hostedViewerUri: bad, properties: { note: bad, [bad]: 1 } }),
    result('used', {
      message: { text: `used${bad}` },
      partialFingerprints: { [bad]: 'x', plain: bad },
      codeFlows: [{ threadFlows: [{ locations: [{ location: { message: { text: bad } } }] }] }],
    }),
  ];
  const driver = {
    name: `S${bad}`,
    rules: [{ id: 'used', help: { text: bad }, properties: { tags: [bad], [bad]: bad } }],
  };
  const log = logOf(results, { tool: { driver }, automationDetails: { id: `${bad}/1` } });
  const deep = JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
  const event = org.scan(1, null, { sarif: { ...log, properties: { deep } } });
  for (const type of ['application/cloudevents+json', 'application/x-ndjson']) {
    const answer = await app.call('POST', '/operator/v1/events', {
      body: `${JSON.stringify({ ...event, id: type })}\n`,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': type },
    });
    assert.equal(answer.json.accepted, 1, answer.text);
  }
  assert.deepEqual(
    (await org.all()).map(({ title }) => title),
    ['unused', 'usedab�'],
  );
  assert.equal((await org.get('?format=sarif')).status, 200);
  const refused = await app.events([org.scan(2, null, { sarif: log, scan_id: bad })]);
  assert.match(refused.json.errors[0].message, /^data\.scan_id: contains a character that cannot be stored/);
});
