import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../../test/child-environment.ts';
import { startTestApp } from '../../test/harness.ts';
import { signInAs } from '../../test/session.ts';

const app = await startTestApp();
const url = await app.app.server.listen({ host: '127.0.0.1', port: 0 });

async function run(...given: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = {
    ...childEnvironment,
    POSTIL_URL: url,
    POSTIL_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  };
  const child = execFile(process.execPath, [path.join(import.meta.dirname, 'main.ts'), 'admins', ...given], {
    env,
  });
  const [out, err] = await Promise.all([
    child.stdout!.toArray(),
    child.stderr!.toArray(),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out: out.join(''), err: err.join('') };
}

test('installation admins can be listed and revoked, the last one only with --allow-none', async () => {
  await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
  await signInAs(app, 'other@postil.test', { isInstallationAdmin: true });
  assert.match(
    (await run('list')).out,
    /^EMAIL .*\nother@postil.test +yes +2026-\S+\nroot@postil.test .*\n$/,
  );

  assert.deepEqual(await run('revoke', 'other@postil.test'), {
    code: 0,
    out: 'other@postil.test is no longer an admin of the installation\n',
    err: '',
  });
  const last = await run('revoke', 'root@postil.test');
  assert.deepEqual([last.code, last.out], [1, '']);
  assert.match(last.err, /last admin/);
  assert.equal((await run('revoke', 'root@postil.test', '--allow-none')).code, 0);
  assert.deepEqual(JSON.parse((await run('list', '--json')).out), []);
  assert.equal((await run('revoke', 'root@postil.test')).code, 1);
  assert.equal((await run('revoke')).code, 2);
});
