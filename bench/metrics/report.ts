import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import type { Sizes } from './data-set.ts';

/** One line of the table: what was measured, against what, and whether the goal was reached. */
export interface Result {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly against: string;
  readonly isReached: boolean;
}

function processorName(): string {
  const [first] = cpus();
  return `${cpus().length} × ${first?.model.trim() || 'processor'}`;
}

function loadAverage(): string {
  try {
    return readFileSync('/proc/loadavg', 'utf8').split(' ', 1)[0]!;
  } catch {
    return 'unknown';
  }
}

const number = new Intl.NumberFormat('en-US');

/** Describes the machine, without its name. */
export function machine(): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return `${processorName()}, ${memory} memory, ${process.platform} ${process.arch}, Node ${process.versions.node}, load average ${loadAverage()} at the end`;
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The results as a table in Markdown. */
export function report(results: readonly Result[], sizes: Sizes, postgresVersion: string): string {
  const rows = results.map(({ what, goal, measured, against, isReached }) => [
    what,
    goal,
    measured,
    against,
    isReached ? 'yes' : '**no**',
  ]);
  const { shared, small, large, events } = sizes;
  return [
    `Data: ${number.format(shared)} pull requests in 200 organizations of unequal size (one of ${number.format(small)}), ` +
      `one organization of ${number.format(large)}, ${number.format(events)} events sent; about 5.5 findings each.`,
    `Machine: ${machine()}, embedded PostgreSQL ${postgresVersion}. Every line was measured in this one run.`,
    '',
    table(['What', 'Goal', 'Measured', 'Against', 'Reached'], rows),
  ].join('\n');
}

/** Replaces the first section of RESULTS.md; the other sections belong to other benchmarks. */
export async function writeResults(section: string): Promise<void> {
  const file = path.join(import.meta.dirname, '../RESULTS.md');
  const others = (await readFile(file, 'utf8')).split(/^(?=# )/m).slice(1);
  await writeFile(file, section + others.join(''));
}
