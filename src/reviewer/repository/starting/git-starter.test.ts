import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRepository } from '../../../../test/git-repository.ts';
import { type GitCall, type GitError, runGit } from '../run-git.ts';
import { createGitStarter } from './git-starter.ts';

const askingProcess = path.join(import.meta.dirname, '../../../../test/programs/asking-process.ts');
const home = await mkdtemp(path.join(tmpdir(), 'postil-starter-'));
after(() => rm(home, { recursive: true, force: true }));
const repository = await makeRepository({ 'a.txt': 'one\n' });
const call: GitCall = { folder: repository.folder, searchPath: process.env.PATH };

/** A program in place of Git that writes its process id to a file and then takes a minute; gives where it is, and the file. */
async function slowGit(name: string): Promise<{ folder: string; pid: () => Promise<number> }> {
  const folder = await mkdtemp(path.join(home, name));
  const file = path.join(folder, 'pid');
  const program = path.join(folder, 'git');
  await writeFile(
    program,
    `#!/bin/sh\necho $$ > ${file}.new; /bin/mv ${file}.new ${file}; exec /bin/sleep 60\n`,
  );
  await chmod(program, 0o755);
  return {
    folder,
    async pid() {
      for (;;) {
        const text = await readFile(file, 'utf8').catch(() => '');
        if (text !== '') return Number(text);
        await sleep(20);
      }
    },
  };
}

async function hasEnded(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat === '' || stat.includes(') Z ')) return;
    await sleep(20);
  }
}

test('Git that a small process starts answers and fails as if it were started here', async () => {
  const { run } = createGitStarter();
  const head = await repository.git('rev-parse', 'HEAD');
  const cases: [string[], GitCall, string?][] = [
    [['rev-parse', 'HEAD'], call],
    [['cat-file', '--batch-check'], call, `${head}\n${'0'.repeat(40)}\n`],
    [['cat-file', 'blob', 'HEAD:a.txt'], call],
    [['rev-parse', '--verify', 'nothing'], call],
    [['rev-parse', 'HEAD'], { ...call, variables: { GIT_DIR: path.join(home, 'none') } }],
    [['rev-parse', 'HEAD'], { ...call, searchPath: path.join(home, 'none') }],
    [['rev-parse', 'HEAD'], { ...call, maxBytes: 10 }],
    [['rev-parse', 'HEAD'], { ...call, searchPath: (await slowGit('late')).folder, timeoutMs: 100 }],
  ];
  const told = (ended: Promise<Buffer>) =>
    ended.then(
      (bytes) => bytes.toString(),
      (error: GitError) => [error.name, error.fault, error.message],
    );
  const seen: unknown[] = [];
  for (const [given, how, input] of cases) {
    const here = await told(runGit(given, how, input));
    assert.deepEqual(await told(run(given, how, input)), here, given.join(' '));
    seen.push(Array.isArray(here) ? here[1] : 'answer');
  }
  assert.deepEqual(seen, [
    'answer',
    'answer',
    'answer',
    'failed',
    'failed',
    'missing',
    'too_much',
    'too_long',
  ]);
});

test('a call that is given up ends Git, and rejects with the reason', async () => {
  const { run } = createGitStarter();
  const slow = await slowGit('given-up');
  const given = new AbortController();
  const ended = run(['log'], { ...call, searchPath: slow.folder, signal: given.signal });
  const pid = await slow.pid();
  given.abort(new Error('nobody waits any more'));
  await assert.rejects(ended, /nobody waits any more/);
  await hasEnded(pid);
  await assert.rejects(run(['log'], { ...call, signal: given.signal }), /nobody waits any more/);
});

test('if the small process dies, its calls fail and the next one has another', async () => {
  const starter = createGitStarter();
  const slow = await slowGit('dies');
  const ended = starter.run(['log'], { ...call, searchPath: slow.folder });
  const pid = await slow.pid();
  process.kill(starter.pid()!, 'SIGKILL');
  await assert.rejects(ended, (error: GitError) => error.fault === 'failed');
  process.kill(pid, 'SIGKILL');
  assert.match((await starter.run(['rev-parse', 'HEAD'], call)).toString(), /^[0-9a-f]{40}\n$/);
});

test('if the process that asked is killed, Git ends, and nobody is left', async () => {
  const slow = await slowGit('killed');
  const asking = fork(askingProcess, [slow.folder], { execArgv: [] });
  const [starterPid] = (await once(asking, 'message')) as [number];
  const pid = await slow.pid();
  asking.kill('SIGKILL');
  await Promise.all([hasEnded(pid), hasEnded(starterPid)]);
});

test('a process that has nothing else to do ends although it has a starter', async () => {
  const asking = fork(askingProcess, [], { execArgv: [] });
  assert.deepEqual(await once(asking, 'exit'), [0, null]);
});
