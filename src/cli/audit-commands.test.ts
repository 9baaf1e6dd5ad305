import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, startFakeServer } from '../../test/command-line.ts';

const requested: string[] = [];
let body = '';
const server = await startFakeServer((request, response) => {
  requested.push(request.url!);
  const isExport = request.url!.includes('/entries');
  response.setHeader('content-type', isExport ? 'application/x-ndjson' : 'application/json').end(body);
});
const run = (line: string) => runCommand(line.split(' '), server);

const chain = { chain_id: 'c', org_id: '1001', workspace: null, entries: 4, head: 'ab', fault: null };

test('audit verify names the chains that were tampered with and exits with 1', async () => {
  const fault = { position: 5, message: 'the entry was changed' };
  body = JSON.stringify({ verified: false, entries: 8, chains: [{ ...chain, fault }, chain] });
  const { code, out, err } = await run('audit verify');
  assert.equal(code, 1);
  assert.match(out, /organization 1001 +5 +the entry was changed/);
  assert.match(err, /1 of 2 chains/);
  assert.equal((await run('audit verify --json')).code, 1);
});

test('audit commands can be limited to one organization', async () => {
  body = JSON.stringify({ verified: true, entries: 4, chains: [chain] });
  const { code } = await run('audit verify --provider github --org 10+01 --instance ghe');
  assert.deepEqual(
    [code, requested.at(-1)],
    [0, '/operator/v1/audit/verification?provider=github&org_id=10%2B01&instance=ghe'],
  );
});

test('audit export prints the entries as received, from a date onward', async () => {
  body = '{"id":"1"}\n{"id":"2"}\n';
  const { code, out } = await run('audit export --since 2026-02-03');
  assert.deepEqual([code, out], [0, body]);
  assert.equal(requested.at(-1), '/operator/v1/audit/entries?since=2026-02-03T00%3A00%3A00Z');
});
