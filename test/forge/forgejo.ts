import { spawn } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder } from '../remove-folder.ts';

const nobody = 65_534;
/** The timeout for one step on an emulated Forgejo, on a busy machine. */
export const patienceMs = 600_000;
/** The timeout for a test on an emulated Forgejo. */
export const longTestMs = 3_600_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Settings with a fixed port, so that Forgejo can still call Postil after a restart. */
export async function fixedAddress(): Promise<Record<string, string>> {
  const port = String(await freePort());
  return { POSTIL_PORT: port, POSTIL_PUBLIC_URL: `http://127.0.0.1:${port}` };
}

export interface Forgejo {
  readonly url: string;
  readonly token: string;
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** Runs a Forgejo program in its own folder, on the loopback interface only and never as root, with one administrator. */
export async function startForgejo(program: string): Promise<Forgejo> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-forge-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const config = path.join(folder, 'app.ini');
  await writeFile(
    config,
    `RUN_MODE = prod
WORK_PATH = ${folder}
[server]
HTTP_ADDR = 127.0.0.1
HTTP_PORT = ${new URL(url).port}
ROOT_URL = ${url}/
DISABLE_SSH = true
OFFLINE_MODE = true
[database]
DB_TYPE = sqlite3
PATH = ${folder}/forge.db
[security]
INSTALL_LOCK = true
[webhook]
ALLOWED_HOST_LIST = loopback
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const file of [folder, config]) chownSync(file, nobody, nobody);
  await chmod(folder, 0o755);
  const start = (...given: string[]) =>
    spawn(program, [...given, '--config', config], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, USER: 'nobody', GITEA_WORK_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
      ...(isRoot && { uid: nobody, gid: nobody }),
    });
  async function run(...given: string[]): Promise<string> {
    const child = start(...given);
    const parts: Buffer[] = [];
    child.stdout!.on('data', (part: Buffer) => parts.push(part));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`forgejo ${given[0]} ended with ${code}`);
    return Buffer.concat(parts).toString();
  }
  await run('migrate');
  const account = ['--username', 'postil-bot', '--email', 'bot@forge.test'];
  await run(
    'admin',
    'user',
    'create',
    ...account,
    '--random-password',
    '--admin',
    '--must-change-password=false',
  );
  const scope = ['--scopes', 'all', '--raw'];
  const token = (
    await run('admin', 'user', 'generate-access-token', '--username', 'postil-bot', ...scope)
  ).trim();
  const server = start('web');
  server.stdout!.resume();
  while (
    !(await fetch(`${url}/api/v1/version`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(200);
  return {
    url,
    token,
    async call(method, at, body) {
      const answer = await fetch(`${url}/api/v1${at}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${at} was answered ${answer.status}: ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
    async stop() {
      server.kill();
      await new Promise((resolve) => server.once('close', resolve));
      await removeFolder(folder);
    },
  };
}
