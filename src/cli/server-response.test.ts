import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { childEnvironment } from '../../test/child-environment.ts';
import { runCommand, startFakeServer } from '../../test/command-line.ts';

const stack = /^\s+at .*:\d+:\d+\)?$/m;
const commands = [['export'], ['audit', 'export'], ['events', 'send', '-']];

async function assertEach(variables: Record<string, string>, explanation: RegExp): Promise<void> {
  for (const command of commands) {
    const { code, err } = await runCommand(command, variables, '{}\n');
    assert.doesNotMatch(err, stack);
    assert.match(err, explanation, command.join(' '));
    assert.equal(code, 1, command.join(' '));
  }
}

describe('every command explains in one sentence', () => {
  test('a response that is not from Postil', async () => {
    const variables = await startFakeServer((request, response) => {
      request.resume().on('end', () => response.setHeader('content-type', 'text/html').end('<html></html>'));
    });
    await assertEach(variables, /^What answers at \S+ is not Postil[^\n]*POSTIL_URL[^\n]*\n$/);
  });

  test('a refusal in JSON that is not from Postil', async () => {
    const variables = await startFakeServer((request, response) => {
      response.statusCode = 404;
      request.resume().on('end', () => response.end('{"error":"Not Found"}'));
    });
    await assertEach(variables, /^What answers at \S+ is not Postil[^\n]*\n$/);
  });

  test('a program at the port that does not speak HTTP', async () => {
    const mail = createServer((client) => {
      client
        .on('error', () => {})
        .resume()
        .end('220 mail\r\n');
    }).listen(0, '127.0.0.1');
    after(() => mail.close());
    await once(mail, 'listening');
    const { port } = mail.address() as AddressInfo;
    const url = { POSTIL_URL: `http://127.0.0.1:${port}`, POSTIL_OPERATOR_TOKEN: 'operator-token-of-tests' };
    await assertEach(url, /^What answers at \S+ is not Postil[^\n]*\n$/);
  });

  test('a response that is cut off', async () => {
    const variables = await startFakeServer((request, response) => {
      const isDownload = request.url!.includes('entries');
      response.setHeader('content-type', isDownload ? 'application/x-ndjson' : 'application/json');
      request.resume().on('end', () => {
        response.setHeader('content-length', 100).write('{"keys":[');
        setTimeout(() => response.destroy(), 100);
      });
    });
    await assertEach(variables, /^The connection to the server at \S+ was lost[^\n]*\n$/);
  });

  test('a wrong token', async () => {
    const variables = await startFakeServer((request, response) => {
      request.resume().on('end', () => {
        response.statusCode = 401;
        response.end(
          '{"error":{"code":"UNAUTHORIZED","message":"The operator token is missing or incorrect"}}',
        );
      });
    });
    await assertEach(variables, /^[^\n]*401[^\n]*POSTIL_OPERATOR_TOKEN[^\n]*\n$/);
  });
});

test('a redirect is reported with its target', async () => {
  const variables = await startFakeServer((_request, response) => {
    response.writeHead(301, { location: 'https://postil.acme.test/' }).end();
  });
  const { code, err } = await runCommand(['export'], variables);
  assert.equal(code, 1);
  assert.match(err, /^[^\n]*https:\/\/postil\.acme\.test\/[^\n]*POSTIL_URL[^\n]*\n$/);
});

describe('output that cannot be written', () => {
  const keys = Array.from({ length: 5_000 }, (_, index) => ({
    id: `${index}`,
    kind: 'user',
    name: 'x'.repeat(200),
  }));
  const body = JSON.stringify({ keys, next_cursor: null, verified: true });
  const main = path.join(import.meta.dirname, 'main.ts');

  for (const command of [['export'], ['keys', 'list', '--json'], ['audit', 'export']]) {
    test(`${command.join(' ')} into a closed pipe exits quietly with 0`, async () => {
      const env = await startFakeServer((request, response) => {
        response.setHeader(
          'content-type',
          request.url!.includes('entries') ? 'application/x-ndjson' : 'application/json',
        );
        response.end(body);
      });
      const child = spawn(process.execPath, [main, ...command], { env: { ...childEnvironment, ...env } });
      child.stdout.once('data', () => child.stdout.destroy());
      const [err] = await Promise.all([child.stderr.toArray(), once(child, 'close')]);
      assert.equal(Buffer.concat(err).toString(), '');
      assert.equal(child.exitCode, 0);
    });
  }

  test('a full disk is a failure, explained in one sentence', {
    skip: process.platform !== 'linux',
  }, async () => {
    const env = await startFakeServer((_request, response) => response.end(body));
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [main, 'export'], {
      env: { ...childEnvironment, ...env },
      stdio: ['ignore', full, 'pipe'],
    });
    const [err] = await Promise.all([child.stderr!.toArray(), once(child, 'close')]);
    assert.match(Buffer.concat(err).toString(), /^[^\n]*output[^\n]*ENOSPC[^\n]*\n$/);
    assert.equal(child.exitCode, 1);
  });
});
