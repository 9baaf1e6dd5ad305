// Measures what the reviewer finds beyond the diff, on the histories of a folder of repositories, none of which was used for
// tuning:
// node bench/sight.ts repositories --data sight-data --commits 14
// Data sets (`postil eval make withheld`) are stored in --data and created only once. All findings on original commits are
// printed, to be judged by people, and all resolvable places that were not found. With --last 75, the last 75 commits without
// merges of each repository are reviewed instead of data sets; with --altering, the last 75 that remove, rename, move or alter a
// definition.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type EvaluationCase, readDataset } from '../src/reviewer/evaluation/dataset.ts';
import { makeDataset } from '../src/reviewer/evaluation/make/make-dataset.ts';
import { countMatches } from '../src/reviewer/evaluation/match-findings.ts';
import { openRepository, type RepositoryPlace } from '../src/reviewer/repository/repository.ts';
import { runGit } from '../src/reviewer/repository/run-git.ts';
import { isInContext } from './sight/context.ts';
import { compareWithHistory } from './sight/history-figures.ts';
import { look } from './sight/look.ts';
import { Tally } from './sight/tally.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string', default: 'sight-data' },
    commits: { type: 'string', default: '14' },
    last: { type: 'string' },
    altering: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    'no-history': { type: 'boolean', default: false },
    'no-context': { type: 'boolean', default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error('name a folder of repositories');
const searchPath = process.env.PATH;
const write = (text: string) => process.stdout.write(`${text}\n`);
const tally = new Tally();
const times: number[] = [];

async function dataOf(name: string): Promise<readonly EvaluationCase[]> {
  const out = path.join(values.data, name.replace(/\.git$/, ''));
  if (!existsSync(out)) {
    const repository = await openRepository(path.join(folder!, name), { searchPath });
    const request = { kind: 'withheld', repository, out, limit: Number(values.commits), seed: 7 } as const;
    await makeDataset({ ...request, onProgress() {} }).finally(() => repository.close());
  }
  return readDataset(out);
}

/** Prints all findings on an original commit, to be judged by people. Returns whether the commit counts. */
async function lookAtCommit(name: string, repository: RepositoryPlace, base: string, head: string) {
  const { findings, impacts, ms } = await look(repository, base, head);
  if (values.altering && impacts.length === 0 && findings.length === 0) return false;
  times.push(ms);
  const worth = findings.filter(({ rule }) => rule !== 'references/copied');
  tally.add(findings.length === 0, 'silent on the commit as it was');
  tally.add(worth.length === 0, 'silent on the commit as it was, copies aside');
  for (const { rule, path: file, startLine, body, related } of findings)
    write(
      `SAID ${name} ${head.slice(0, 12)} ${rule} ${file}:${startLine} ${body.split('. ')[0]} [${related.map((place) => `${place.path}:${place.startLine}`).slice(0, 3)}]`,
    );
  return true;
}

async function measure(
  name: string,
  repository: RepositoryPlace,
  { base, head, golden, labels, ...each }: EvaluationCase,
) {
  if (golden.length === 0) {
    await lookAtCommit(name, repository, base, head);
    if (!values['no-history']) await compareWithHistory(repository, base, head, tally);
    return;
  }
  const seen = await look(repository, base, head);
  times.push(seen.ms);
  const isFound = countMatches(seen.findings, golden) > 0;
  const { language, rule, resolvable } = labels;
  const placed = `${name} ${each.name} ${head.slice(0, 12)} ${rule} ${golden[0]!.path}:${golden[0]!.start_line}`;
  tally.add(
    isFound,
    'found, all',
    resolvable ? 'found, resolvable' : 'found, not resolvable',
    `all: ${language}`,
  );
  if (!values['no-context']) {
    const isShown = await isInContext(repository, { base, head, golden }, seen);
    tally.add(
      isShown,
      'context, all',
      `context, ${resolvable ? '' : 'not '}resolvable`,
      `context: ${language}`,
    );
    if (!isShown) write(`UNSHOWN ${placed}`);
  }
  if (!resolvable) return;
  tally.add(isFound, `resolvable: ${language}`, `resolvable: ${rule}`, `resolvable, by repository: ${name}`);
  if (!isFound) write(`MISSED ${placed}`);
}

/** Reviews the newest commits without merges unchanged. */
async function lookAtLast(name: string, count: string): Promise<void> {
  const repository = await openRepository(path.join(folder!, name), { searchPath });
  const most = values.altering ? 20 * Number(count) : Number(count);
  const given = ['log', '--no-merges', `--max-count=${most}`, '--format=%P %H', 'HEAD', '--'];
  const lines = (await runGit(given, repository.call)).toString().trim().split('\n');
  let counted = 0;
  for (const [base, head] of lines.map((line) => line.split(' ') as [string, string?])) {
    if (head === undefined || counted === Number(count)) continue; // the very first commit has no parent
    const isCounted = await lookAtCommit(name, repository, base, head).catch((error: Error) => {
      write(`FAILED ${name} ${head} ${error.message}`);
      return false;
    });
    counted += Number(isCounted);
  }
  await repository.close();
}

for (const name of (await readdir(folder)).sort()) {
  if (values.only !== undefined && !values.only.includes(name.replace(/\.git$/, ''))) continue;
  if (values.last !== undefined) {
    await lookAtLast(name, values.last);
    continue;
  }
  const cases = await dataOf(name);
  // The history after a commit is only in the repository itself, and the generated commits are only in the data set.
  const own = await openRepository(path.join(folder, name), { searchPath });
  const first = cases[0]!.from;
  const made = await openRepository(first.kind === 'repository' ? first.folder : '', { searchPath });
  for (const each of cases)
    await measure(name, each.golden.length === 0 ? own : made, each).catch((error: Error) =>
      write(`FAILED ${name} ${each.name} ${error.message}`),
    );
  await Promise.all([own.close(), made.close()]);
}
times.sort((a, b) => a - b);
const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0);
write(tally.lines().join('\n'));
write(
  `${times.length} looks: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms; at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
);
