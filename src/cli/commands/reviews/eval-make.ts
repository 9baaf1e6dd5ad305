import path from 'node:path';
import type { Command } from 'commander';
import { readTerminalSettings } from '../../../command-settings.ts';
import { DatasetError } from '../../../reviewer/evaluation/dataset.ts';
import { makeDataset } from '../../../reviewer/evaluation/make/make-dataset.ts';
import { openRepository } from '../../../reviewer/repository/repository.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { openInput, readInputText } from '../../input-file.ts';
import { parseCount, parseMoment } from '../../option-values.ts';
import { print, printNote, startProgress } from '../../output.ts';

interface MakeOptions {
  readonly repository: string;
  readonly out: string;
  readonly limit: number;
  readonly since?: string;
  readonly seed?: number;
  readonly commits?: string;
}

const kinds = {
  withheld:
    'make cases from commits that change a symbol and the files that use it: one of these files is reverted, and must be found',
  bugs: 'make cases from reversed bug fixes: the reintroduced bug must be found',
} as const;

export function addEvalMake(make: Command): void {
  for (const kind of ['withheld', 'bugs'] as const) {
    const command = make
      .command(kind)
      .description(kinds[kind])
      .requiredOption(
        '--repository <folder>',
        'a Git repository, bare or with a working copy; it is only read',
      )
      .requiredOption('--out <folder>', 'the data set, a folder that is new or empty')
      .option('--limit <number>', 'the maximum number of commits', parseCount(1, 100_000), 100)
      .option(
        '--since <date>',
        'only commits since then: a date, or a number of days such as 365d',
        parseMoment('ago'),
      )
      .option(
        '--seed <number>',
        'select commits at random, the same ones for the same number (default: the newest)',
        parseCount(0, 1_000_000_000),
      );
    if (kind === 'bugs')
      command.option('--commits <file>', 'the fixes, one id per line (default: commits whose title says so)');
    command
      .addHelpText(
        'after',
        examples(
          `postil eval make ${kind} --repository . --out cases`,
          `postil eval make ${kind} --repository ../api --limit 50 --since 730d --seed 1 --out cases`,
        ),
      )
      .action((options: MakeOptions) => run(kind, options));
  }
}

async function run(kind: keyof typeof kinds, options: MakeOptions): Promise<void> {
  const { folder, searchPath } = readTerminalSettings();
  const commits = options.commits === undefined ? undefined : await readCommits(options.commits, folder);
  const repository = await openRepository(path.resolve(folder, options.repository), { searchPath }).catch(
    (error: Error) => {
      throw new CommandError(`${options.repository}: ${error.message}`, usageExitCode);
    },
  );
  const progress = startProgress('Looking at commits');
  try {
    const { limit, since, seed } = options;
    const out = path.resolve(folder, options.out);
    const onProgress = (done: number, total: number) => progress.update(done, total);
    const made = await makeDataset({ kind, repository, out, limit, since, seed, commits, onProgress });
    progress.end();
    print(
      `${made.cases} cases of ${made.taken === 1 ? 'one commit' : `${made.taken} commits`}, from ${made.seen} that were looked at. Measure with: postil eval --dataset ${options.out}`,
    );
    if (made.isShallow && made.taken < limit)
      printNote('The history is shallow here; with more of it there are more cases (git fetch --unshallow).');
  } catch (error) {
    throw error instanceof DatasetError ? new CommandError(error.message, usageExitCode) : error;
  } finally {
    progress.end();
    await repository.close();
  }
}

/** Reads commit ids or their prefixes, one per line; the rest of a line is a comment. */
async function readCommits(file: string, folder: string): Promise<string[]> {
  const ids = (await readInputText(await openInput(file, folder), 4))
    .split('\n')
    .map((line) => line.trim().split(/\s+/)[0]!)
    .filter((id) => id !== '' && !id.startsWith('#'));
  const wrong = ids.find((id) => !/^[0-9a-f]{7,64}$/.test(id));
  if (wrong !== undefined || ids.length === 0)
    throw new CommandError(
      wrong === undefined
        ? `${file} names no commit`
        : `${file}: "${wrong.slice(0, 80)}" is not the id of a commit`,
      usageExitCode,
    );
  return ids;
}
