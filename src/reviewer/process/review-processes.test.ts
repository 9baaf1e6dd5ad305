import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { removeFolder } from '../../../test/remove-folder.ts';
import { compiledCodeEnvironment } from '../../lib/own-files.ts';
import type { Part, PartModule, PartOrder } from './part.ts';
import { createReviewProcesses } from './review-processes.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'postil-parts-'));
after(() => removeFolder(folder));
const { signal } = new AbortController();
const long = { timeout: 300_000 };

/** A part that runs the code in `text`, where `request` and `place` are defined. */
async function partOf(text: string): Promise<Part<PartModule>> {
  const file = path.join(folder, `${crypto.randomUUID()}.mjs`);
  const imports =
    "import { spawn } from 'node:child_process';\nimport { existsSync, writeFileSync } from 'node:fs';\n";
  await writeFile(file, `${imports}export async function work(request, place) {\n${text}\n}\n`);
  return { module: pathToFileURL(file).href };
}

function processesFor(t: { after(work: () => Promise<void>): void }, given = {}) {
  const processes = createReviewProcesses({ count: 1, graceMs: 200, ...given });
  t.after(() => processes.stop());
  return (part: Part<PartModule>, request: unknown, order: Partial<PartOrder> = {}) =>
    processes.run(part, request, { group: 'acme', signal, ...order });
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(20);
}

test(
  'a part runs in another process, without our environment variables, and its errors are returned',
  long,
  async (t) => {
    const run = processesFor(t);
    const facts = await partOf('return { pid: process.pid, names: Object.keys(process.env), request };');
    const { pid, names, request } = (await run(facts, { a: [1, null] })) as Record<string, unknown>;
    assert.notEqual(pid, process.pid);
    const expected = Object.keys({ ...compiledCodeEnvironment(), TMPDIR: '' });
    assert.deepEqual([names, request], [expected, { a: [1, null] }]);
    const again = (await run(facts, null)) as { pid: number };
    assert.equal(again.pid, pid, 'a process is used again');
    const failing = await partOf("throw Object.assign(new Error('no'), { name: 'DiffError' });");
    await assert.rejects(run(failing, null), { name: 'DiffError', message: 'no' });
  },
);

test(
  'a part that never ends is killed: some time after the deadline, and at the latest at the time limit of a part',
  long,
  async (t) => {
    const run = processesFor(t, { partMs: 500 });
    const endless = await partOf('place.report(process.pid); for (;;);');
    const pids: number[] = [];
    const onReport = (pid: unknown) => void pids.push(pid as number);
    await assert.rejects(run(endless, null, { onReport }), { name: 'PartEnded', limit: 'time' });
    const patient = processesFor(t, { partMs: 600_000 });
    const order = { onReport, deadline: AbortSignal.timeout(50) };
    await assert.rejects(patient(endless, null, order), { name: 'PartEnded', limit: 'time' });
    const cooperative = await partOf(
      "if (!place.deadline.aborted) await new Promise((resolve) => place.deadline.addEventListener('abort', resolve)); return 'kept';",
    );
    const kind = processesFor(t, { graceMs: 120_000 });
    assert.equal(await kind(cooperative, null, { deadline: AbortSignal.timeout(50) }), 'kept');
    for (const pid of pids) await untilGone(pid);
  },
);

test('a part that takes too much memory is killed, inside of the heap and outside', long, async (t) => {
  const run = processesFor(t, { memoryMb: 256 });
  const inside = await partOf('const all = []; for (;;) all.push({ at: all.length });');
  const outside = await partOf(
    'const all = []; for (;;) { all.push(Buffer.alloc(8 << 20, 1)); await new Promise(setImmediate); }',
  );
  for (const part of [inside, outside])
    await assert.rejects(run(part, null), { name: 'PartEnded', limit: 'memory' });
  assert.equal(await run(await partOf('return 1;'), null), 1, 'the next part has a new process');
});

test(
  'a process that crashes is replaced, and its part retried once; a second crash is reported',
  long,
  async (t) => {
    const ended: string[] = [];
    const run = processesFor(t, { onEnded: (limit: string) => ended.push(limit) });
    const once = await partOf(
      'if (existsSync(request)) return 2; writeFileSync(request, "x"); process.kill(process.pid, "SIGSEGV"); for (;;);',
    );
    assert.equal(await run(once, path.join(folder, 'first')), 2);
    assert.deepEqual(ended, []);
    const always = await partOf('process.exit(1);');
    await assert.rejects(run(always, null), { name: 'PartEnded', limit: 'crashed' });
    assert.deepEqual(ended, ['crashed']);
  },
);

test('organizations take turns, and urgent parts do not wait for reviews', long, async (t) => {
  const run = processesFor(t);
  const done: string[] = [];
  const gate = path.join(folder, 'gate');
  const waiting = await partOf(
    'while (!existsSync(request.gate)) await new Promise((resolve) => setTimeout(resolve, 10)); return request.name;',
  );
  const order = async (group: string, name: string) =>
    done.push((await run(waiting, { gate, name }, { group })) as string);
  const all = [order('a', 'a1'), order('a', 'a2'), order('a', 'a3'), order('b', 'b1'), order('c', 'c1')];
  assert.equal(await run(await partOf('return 3;'), null, { group: 'a', isUrgent: true }), 3);
  assert.equal(done.length, 0);
  await writeFile(gate, '');
  await Promise.all(all);
  assert.deepEqual(done, ['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('stopping kills processes at once, with everything that they have started', long, async (t) => {
  const starting = await partOf("place.report([process.pid, spawn('sleep', ['1000']).pid]); for (;;);");
  async function begin(given: Partial<PartOrder> & { processes?: ReturnType<typeof createReviewProcesses> }) {
    const { promise, resolve } = Promise.withResolvers<number[]>();
    const order = { group: 'acme', signal, ...given, onReport: (pids: unknown) => resolve(pids as number[]) };
    const processes = given.processes ?? createReviewProcesses({ count: 1 });
    t.after(() => processes.stop());
    const ended = processes.run(starting, null, order).catch((error: Error) => error);
    return { pids: await promise, ended, processes };
  }
  const stopped = new AbortController();
  const cancelled = await begin({ signal: stopped.signal });
  stopped.abort();
  assert.equal(((await cancelled.ended) as Error).name, 'AbortError');
  const ended = await begin({});
  await ended.processes.stop();
  assert.ok((await ended.ended) instanceof Error);
  for (const pid of [...cancelled.pids, ...ended.pids]) await untilGone(pid);
});

test('a process ends with its parent, however busy it is', long, async () => {
  const busy = await partOf('place.report(process.pid); for (;;);');
  const parent = path.join(folder, 'parent.mjs');
  const module = new URL('./review-processes.ts', import.meta.url).href;
  await writeFile(
    parent,
    `import { createReviewProcesses } from ${JSON.stringify(module)};
createReviewProcesses({ count: 1 }).run(${JSON.stringify(busy)}, null, { group: 'a', signal: new AbortController().signal,
  onReport: (pid) => process.stdout.write(pid + '\\n') });`,
  );
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', parent], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill('SIGKILL');
  await untilGone(Number(said.toString()));
});
