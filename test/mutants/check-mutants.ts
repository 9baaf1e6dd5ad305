// Puts one small fault after another into a copy of the project, and runs the nearby tests: `npm run check:mutants`.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startTestPostgres, TEST_DATABASE_VARIABLE } from '../template-database.ts';
import { mutantGroups } from './all-mutants.ts';
import { type Mutant, mutate } from './mutant.ts';
import { type Nearby, runNearby } from './run-nearby.ts';
import { copyProject, type WorkingCopy } from './working-copy.ts';

const project = path.join(import.meta.dirname, '../..');
const help = `npm run check:mutants -- [--only NAME]... [--jobs N] [--list]

Puts small faults into a copy of the project, one at a time, and runs the tests next to each. Exits with 1 if the tests do
not notice one or do not end, if they fail without any fault, or if a fault no longer fits the code.

  --only NAME   only this fault, or this group (${Object.keys(mutantGroups).join(', ')}); can be repeated
  --jobs N      how many faults are tried at the same time, each in its own copy; 2 unless given
  --list        prints the faults and why they matter, and runs nothing
`;

/** `unclear`: the tests also fail without the fault. */
const results = ['caught', 'survived', 'hung', 'unclear'] as const;
type Result = (typeof results)[number];
type Chosen = Mutant & { readonly group: string };
type Tried = Chosen & { readonly result: Result };

const print = (line: string) => void process.stdout.write(`${line}\n`);

function choose(only: readonly string[]): Chosen[] {
  const all = Object.entries(mutantGroups).flatMap(([group, mutants]) =>
    mutants.map((mutant) => ({ ...mutant, group })),
  );
  const isNamed = ({ name, group }: Chosen, wanted: string) => name === wanted || group === wanted;
  const unknown = only.find((wanted) => !all.some((mutant) => isNamed(mutant, wanted)));
  if (unknown !== undefined) throw new Error(`there is no fault or group called ${unknown}; see --list`);
  return only.length === 0 ? all : all.filter((mutant) => only.some((wanted) => isNamed(mutant, wanted)));
}

/** Distributes the tasks over the copies, each of which does one at a time, and prints a line about each. */
async function inCopies<Task>(
  copies: readonly WorkingCopy[],
  tasks: readonly Task[],
  work: (copy: WorkingCopy, task: Task) => Promise<string>,
): Promise<void> {
  const waiting = [...tasks];
  let done = 0;
  await Promise.all(
    copies.map(async (copy) => {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        const began = performance.now();
        const line = await work(copy, task);
        done += 1;
        const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
        print(`${`${done}/${tasks.length}`.padStart(7)} ${seconds} s  ${line}`);
      }
    }),
  );
}

/** Every needed test file once, with the names of all its needed tests. */
function nearbyOf(mutants: readonly Mutant[]): (Nearby & { readonly file: string })[] {
  const uses = mutants.flatMap(({ tests, named }) => tests.map((file) => ({ file, named })));
  return [...Map.groupBy(uses, ({ file }) => file)].map(([file, all]) => {
    const names = all.map(({ named }) => named);
    return {
      file,
      tests: [file],
      named: names.includes(undefined) ? undefined : names.flatMap((name) => name!),
    };
  });
}

/** The files whose tests fail even without a fault, so that they prove nothing. */
async function findFailing(
  copies: readonly WorkingCopy[],
  mutants: readonly Mutant[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const failing = new Set<string>();
  print('without a fault');
  await inCopies(copies, nearbyOf(mutants), async (copy, nearby) => {
    const verdict = await runNearby(copy, nearby, signal);
    if (verdict.outcome === 'passed') return `passed    ${nearby.file}`;
    failing.add(nearby.file);
    const why = verdict.outcome === 'failed' ? `failed: ${verdict.test}` : 'hung';
    return `UNCLEAR   ${nearby.file} ${why}`;
  });
  return failing;
}

async function tryAll(
  copies: readonly WorkingCopy[],
  mutants: readonly Chosen[],
  failing: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  print('with a fault');
  await inCopies(copies, mutants, async (copy, mutant) => {
    const note = (result: Result, by = '') => {
      tried.push({ ...mutant, result });
      const shown = result === 'caught' ? result : result.toUpperCase();
      return `${shown.padEnd(9)} ${mutant.name}${by}`;
    };
    if (mutant.tests.some((file) => failing.has(file))) return note('unclear');
    const verdict = await copy.with(mutant, () => runNearby(copy, mutant, signal));
    if (verdict.outcome === 'failed') return note('caught', `  by: ${verdict.test}`);
    return note(verdict.outcome === 'passed' ? 'survived' : 'hung');
  });
  return tried;
}

function tableOf(tried: readonly Tried[]): string {
  const row = (cells: readonly (string | number)[]) =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(14) : String(cell).padStart(10))).join('');
  const counted = (name: string, of: readonly Tried[]) =>
    row([name, of.length, ...results.map((wanted) => of.filter(({ result }) => result === wanted).length)]);
  const groups = Map.groupBy(tried, ({ group }) => group);
  return [
    row(['', 'faults', ...results]),
    ...Object.keys(mutantGroups).flatMap((name) =>
      groups.has(name) ? counted(name, groups.get(name)!) : [],
    ),
    counted('all', tried),
    ...tried
      .filter(({ result }) => result !== 'caught')
      .map(({ result, name, file, why }) => `${result}: ${name} in ${file}: ${why}`),
  ].join('\n');
}

/** Whether the tests detect all of these faults. */
async function checkMutants(mutants: readonly Chosen[], jobs: number, signal: AbortSignal): Promise<boolean> {
  // Checks all of them first, so that all outdated ones are reported at once.
  const fitting = await Promise.allSettled(mutants.map((mutant) => mutate(project, mutant)));
  const outdated = fitting.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  for (const { reason } of outdated) print((reason as Error).message);
  if (outdated.length > 0) return false;
  const postgres = await startTestPostgres();
  process.env[TEST_DATABASE_VARIABLE] = JSON.stringify(postgres.target);
  const copies: WorkingCopy[] = [];
  try {
    for (let job = 0; job < Math.min(jobs, mutants.length); job += 1) copies.push(await copyProject(project));
    const failing = await findFailing(copies, mutants, signal);
    const tried = await tryAll(copies, mutants, failing, signal);
    print(`\n${tableOf(tried)}`);
    return tried.every(({ result }) => result === 'caught');
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
    await postgres.stop();
  }
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) print(help);
else if (values.list)
  for (const { group, name, why } of choose(values.only)) print(`${group}  ${name}: ${why}`);
else {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  const jobs = Math.max(1, Number.parseInt(values.jobs, 10) || 1);
  process.exitCode = await checkMutants(choose(values.only), jobs, stop.signal).then(
    (isFine) => (isFine ? 0 : 1),
    (error: unknown) => {
      if (!stop.signal.aborted) throw error;
      print('interrupted');
      return 1;
    },
  );
}
