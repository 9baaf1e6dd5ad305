import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { after, test } from 'node:test';

const asked: string[] = [];
let answer = '';
const server = createServer((request, response) => {
  asked.push(request.url!);
  response.setHeader('content-type', 'application/json').end(answer);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => server.close());
const { port } = server.address() as { port: number };

function run(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH,
    POSTIL_URL: `http://127.0.0.1:${port}`,
    POSTIL_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(import.meta.dirname, 'main.ts'), ...given],
      { env },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

const chain = { chain_id: 'c', org_id: '1001', workspace: null, entries: 4, head: 'ab', fault: null };

test('audit verify names the chains that were tampered with and ends with 1', async () => {
  const fault = { position: 5, message: 'the entry was changed' };
  answer = JSON.stringify({ verified: false, entries: 8, chains: [{ ...chain, fault }, chain] });
  const { code, out, err } = await run('audit', 'verify');
  assert.equal(code, 1);
  assert.match(out, /organization 1001 +5 +the entry was changed/);
  assert.match(err, /1 of 2 chains/);
  assert.equal((await run('audit', 'verify', '--json')).code, 1);
});

test('audit commands can be about one organization', async () => {
  answer = JSON.stringify({ verified: true, entries: 4, chains: [chain] });
  const verified = await run(
    'audit',
    'verify',
    '--provider',
    'github',
    '--org',
    '10 01',
    '--instance',
    'ghe',
  );
  assert.deepEqual(
    [verified.code, asked.at(-1)],
    [0, '/operator/v1/audit/verification?provider=github&org_id=10+01&instance=ghe'],
  );
  await run('audit', 'export', '--since', '2026-02-03');
  assert.equal(asked.at(-1), '/operator/v1/audit/entries?since=2026-02-03T00%3A00%3A00Z');
});
