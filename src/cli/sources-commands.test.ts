import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../test/command-line.ts';
import { operatorToken, startTestApp } from '../../test/harness.ts';
import { portOf } from '../../test/late-caller.ts';
import { samplePlatform } from '../../test/sample-platform.ts';

const server = await startTestApp();
await server.platform(samplePlatform());
const POSTIL_URL = `http://127.0.0.1:${await portOf(server)}`;
const asOperator = { POSTIL_URL, POSTIL_OPERATOR_TOKEN: operatorToken };
const add = 'sources add --name ci --provider github --orgs 1001,1002 --types postil.pull_request'.split(' ');

function line(orgId: string): string {
  const data = {
    provider: 'github',
    org_id: orgId,
    repository_id: '501',
    number: 1,
    url: 'https://github.test/acme/api/pull/1',
    state: 'open',
    created_at: '2026-06-01T09:00:00Z',
  };
  const attributes = { specversion: '1.0', id: orgId, source: '/ci', time: '2026-06-01T10:00:00Z' };
  return `${JSON.stringify({ ...attributes, type: 'postil.pull_request', data })}\n`;
}

test('a source is added, sends events without the operator token, and is removed', async () => {
  const added = await runCommand(add, asOperator);
  const POSTIL_SOURCE_KEY = added.out.trim();
  assert.match(POSTIL_SOURCE_KEY, /^pss_\w+$/);
  const send = (text: string) => runCommand(['events', 'send', '-'], { POSTIL_URL, POSTIL_SOURCE_KEY }, text);
  const sent = await send(line('1001') + line('3001'));
  assert.equal(sent.out, 'accepted 1, duplicate 0, failed 1\n');
  assert.match(sent.err, /event 2 \(3001\): FORBIDDEN: data\.org_id: /);

  const listed = JSON.parse((await runCommand(['sources', 'list', '--json'], asOperator)).out);
  assert.deepEqual(
    listed.map(({ name, types }: { name: string; types: string[] }) => [name, types]),
    [['ci', ['postil.pull_request']]],
  );
  const { id } = listed[0];
  const shown = await runCommand(['sources', 'list'], asOperator);
  assert.match(shown.out, /github\/1001, github\/1002 +postil\.pull_request/);
  assert.equal((await runCommand(['sources', 'remove', id], asOperator)).out, `Removed ${id}\n`);
  const refused = await send(line('1002'));
  assert.equal(refused.code, 1);
  assert.match(refused.err, /rejected the request \(401\).*set POSTIL_SOURCE_KEY/s);
});

test('errors about options and keys use their names', async () => {
  const unknownType = await runCommand([...add.slice(0, -1), 'postil.unknown'], asOperator);
  assert.equal(unknownType.code, 2);
  assert.match(unknownType.err, /--types/);
  for (const POSTIL_SOURCE_KEY of ['', 'nonsense']) {
    const { code, err } = await runCommand(['events', 'send', '-'], { ...asOperator, POSTIL_SOURCE_KEY }, '');
    assert.equal(code, 1);
    assert.match(err, /POSTIL_SOURCE_KEY: is/);
  }
});
