import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { buffer, text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Launcher } from './launcher.ts';
import type { ProgramCall, StartedProgram } from './started-program.ts';

const options = { skip: process.platform !== 'linux' && 'other systems need no launcher' };
const call: ProgramCall = { folder: tmpdir(), env: { PATH: process.env.PATH!, MARK: 'set' } };
let launcher: Launcher;

async function openLauncher(): Promise<Launcher> {
  const one = new Launcher();
  while (!one.isReady) await sleep(10);
  return one;
}

before(async () => {
  if (process.platform === 'linux') launcher = await openLauncher();
});

const shell = (script: string, how: Partial<ProgramCall> = {}, through = launcher): StartedProgram =>
  through.start('sh', ['-c', script], { ...call, ...how });

async function run(program: StartedProgram, input = '') {
  program.stdin.on('error', () => {}).end(input);
  const [output, errors, [exitCode, signalCode]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, 'close'),
  ]);
  return { output, errors, exitCode, signalCode };
}

const childrenOf = (pid: number | string): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
const openFiles = () => readdirSync('/proc/self/fd').length;

test(
  'a launched program gets its input, folder and variables, and gives its output, errors and exit status',
  options,
  async () => {
    const script = 'cat; pwd; echo "$MARK,$HOME"; echo oops >&2; exit 3';
    const ended = await run(shell(script, { env: { ...call.env } }), 'given\n');
    assert.deepEqual(ended, {
      output: `given\n${tmpdir()}\nset,\n`,
      errors: 'oops\n',
      exitCode: 3,
      signalCode: null,
    });
  },
);

test('large input and output arrive unchanged, however slowly they are read', options, async () => {
  const sent = Buffer.alloc(8 * 1024 * 1024, 'a line of some length\n');
  const program = shell('cat');
  program.stdin.end(sent);
  await sleep(200);
  assert.ok((await buffer(program.stdout)).equals(sent));
});

test('concurrent programs do not mix their streams, and leave no open files', options, async () => {
  await run(shell('true'));
  const before = openFiles();
  const numbers = Array.from({ length: 40 }, (_, index) => String(index));
  const ended = await Promise.all(numbers.map((number) => run(shell('cat; echo end'), number)));
  assert.deepEqual(
    ended.map(({ output }) => output),
    numbers.map((number) => `${number}end\n`),
  );
  while (openFiles() > before) await sleep(10);
});

test('no connection stays open, in whichever order its streams and the program end', options, async () => {
  await run(shell('true'));
  const before = openFiles();
  const uses: ((program: StartedProgram) => Promise<unknown>)[] = [
    (program) => run(program),
    (program) => run(program, 'x'.repeat(100_000)),
    // Input that is never ended.
    (program) => Promise.all([text(program.stdout), once(program, 'close')]),
    async (program) => {
      const closed = once(program, 'close');
      program.stdin.end();
      for await (const _part of program.stdout) break;
      program.kill('SIGKILL');
      await closed;
    },
    async (program) => {
      const closed = once(program, 'close');
      program.kill('SIGKILL');
      await closed;
    },
  ];
  for (let round = 0; round < 12; round += 1)
    await Promise.all(uses.flatMap((use) => [use(shell('echo one')), use(shell('exec true'))]));
  while (openFiles() > before) await sleep(10);
});

test('a program that does not read its input ends normally', options, async () => {
  const { output, exitCode } = await run(shell('echo done'), 'x'.repeat(1024 * 1024));
  assert.deepEqual([output, exitCode], ['done\n', 0]);
});

test(
  'a program that is killed or aborted ends at once with the given signal or reason',
  options,
  async () => {
    const killed = shell('echo begun; exec sleep 600');
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    assert.deepEqual((await once(killed, 'close'))[1], 'SIGKILL');
    assert.ok(killed.killed);
    const early = shell('exec sleep 600');
    early.kill('SIGKILL');
    assert.equal((await once(early, 'close'))[1], 'SIGKILL');
    const reason = new Error('enough');
    const controller = new AbortController();
    const aborted = shell('exec sleep 600', { signal: controller.signal });
    const told = assert.rejects(once(aborted, 'close'), reason);
    controller.abort(reason);
    await told;
    await assert.rejects(
      once(shell('exec sleep 600', { signal: AbortSignal.abort(reason) }), 'close'),
      reason,
    );
  },
);

test(
  'a program whose output is read chunk by chunk ends even if the last chunk is not requested',
  options,
  async () => {
    const program = shell('cat');
    const parts = program.stdout[Symbol.asyncIterator]();
    program.stdin.write('one');
    assert.equal(String((await parts.next()).value), 'one');
    program.stdin.end();
    assert.deepEqual(await once(program, 'close'), [0, null]);
  },
);

test(
  'a program or folder that does not exist causes the same error as when this process starts it',
  options,
  async () => {
    const programs = [
      launcher.start('no-such-program', [], call),
      launcher.start('sh', ['-c', 'true'], { ...call, folder: '/no/such/folder' }),
    ];
    await Promise.all(programs.map((program) => assert.rejects(once(program, 'close'), { code: 'ENOENT' })));
  },
);

test('if the launcher dies, its programs fail, and nothing waits for them', options, async () => {
  const before = childrenOf(process.pid);
  const own = await openLauncher();
  const [pid] = childrenOf(process.pid).filter((child) => !before.includes(child));
  const programs = [shell('exec sleep 600', {}, own), shell('exec sleep 600', {}, own)];
  const ended = Promise.all(programs.map((program) => once(program, 'close')));
  while (childrenOf(pid!).length < 2) await sleep(10);
  const left = childrenOf(pid!);
  process.kill(Number(pid), 'SIGKILL');
  for (const program of left) process.kill(Number(program), 'SIGKILL');
  assert.deepEqual(
    (await ended).map(([, signal]) => signal),
    ['SIGKILL', 'SIGKILL'],
  );
  assert.ok(own.isGone && !own.isReady);
  assert.ok(programs.every(({ killed }) => !killed));
});

test(
  'launched programs end together with the process that requested them, even if that is killed',
  options,
  async () => {
    const script = `
    const { Launcher } = await import(${JSON.stringify(new URL('./launcher.ts', import.meta.url).href)});
    const launcher = new Launcher();
    while (!launcher.isReady) await new Promise((resolve) => setTimeout(resolve, 10));
    launcher.start('sh', ['-c', 'echo $$; exec sleep 600'], { folder: '/', env: { PATH: process.env.PATH } })
      .stdout.once('data', (chunk) => { process.stdout.write(chunk, () => process.kill(process.pid, 'SIGKILL')); });`;
    let output = '';
    try {
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    const pid = Number(output);
    assert.ok(pid > 1);
    const isThere = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0] !== 'Z';
    for (;;) {
      try {
        if (!isThere()) break;
      } catch {
        break;
      }
      await sleep(20);
    }
  },
);

test(
  'a process that has started programs before starts the next ones through the launcher',
  options,
  async () => {
    // A new process: earlier tests have started programs in this one.
    const program = `
      import { text } from 'node:stream/consumers';
      import { startProgram } from '${import.meta.resolve('./start-program.ts')}';
      const parentOf = async () =>
        Number(await text(startProgram('sh', ['-c', 'echo $PPID'], ${JSON.stringify(call)}).stdout));
      if ((await parentOf()) !== process.pid) throw new Error('the first program was not started directly');
      while ((await parentOf()) === process.pid) await new Promise((resolve) => setTimeout(resolve, 50));
      process.exit(0);`;
    const started = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [errors, [exitCode]] = await Promise.all([text(started.stderr), once(started, 'close')]);
    assert.equal(exitCode, 0, errors);
  },
);
