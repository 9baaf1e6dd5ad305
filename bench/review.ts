// Measures `postil review` for a change of 1,000 lines, compared with the linters that people would run instead. Both are
// measured in turns; a first round that does not count warms up the caches.
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { reviewWorkingCopy } from '../src/cli/reviews/review-working-copy.ts';
import { createReviewProcesses } from '../src/reviewer/process/review-processes.ts';
import { findLinters } from './review/linters.ts';
import { sampleChange, startRepository } from './review/sample-change.ts';

const run = promisify(execFile);
const goalSeconds = 3;
const rounds = 7;
const main = path.join(import.meta.dirname, '../src/cli/main.ts');
const { folder, write, remove } = await startRepository();
const linters = await findLinters();
const processes = createReviewProcesses();

async function reviewHere(): Promise<void> {
  const local = await reviewWorkingCopy({
    folder,
    searchPath: process.env.PATH,
    base: undefined,
    head: undefined,
    paths: [],
    configuration: undefined,
    coverage: [],
    osv: [],
    processes,
    maxSeconds: 600,
    onProgress: () => {},
  });
  await local.close();
}

const ways = {
  command: () => run(process.execPath, [main, 'review'], { cwd: folder }),
  review: reviewHere,
  linters: () => linters.run(folder),
};

try {
  await write(sampleChange(1));
  const times = { command: [] as number[], review: [] as number[], linters: [] as number[] };
  for (let round = -1; round < rounds; round += 1)
    for (const way of ['command', 'review', 'linters'] as const) {
      const started = performance.now();
      await ways[way]();
      if (round >= 0) times[way].push((performance.now() - started) / 1_000);
    }
  const median = (way: keyof typeof times) => times[way].toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
  const [command, review, others] = [median('command'), median('review'), median('linters')];
  const verdict = command < goalSeconds ? 'met' : 'MISSED';
  const without = linters.missing.length === 0 ? '' : ` (not on this machine: ${linters.missing.join(', ')})`;
  process.stdout.write(
    `postil review, from start to end: ${command.toFixed(2)} s; goal ${goalSeconds} s: ${verdict} (load of the machine ${loadavg()[0]!.toFixed(1)})\n` +
      `  the review itself: ${review.toFixed(2)} s\n` +
      `  ${linters.names.join(', ')} one after the other${without}: ${others.toFixed(2)} s; ratio ${(command / others).toFixed(2)}\n`,
  );
} finally {
  await processes.stop();
  await remove();
}
