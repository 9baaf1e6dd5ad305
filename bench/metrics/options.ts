import { Command, InvalidArgumentError } from 'commander';
import { defaultSizes, fullSizes, quickSizes, type Sizes } from './data-set.ts';

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1000)
    throw new InvalidArgumentError('must be a whole number of at least 1000');
  return value;
}

/** Parses the command line: what to measure, and how thoroughly. */
export function readOptions() {
  const command = new Command('npm run bench --')
    .description(
      'Measures the review metrics against the goals; the data set is made in a folder for temporary files.',
    )
    .option(
      '--full',
      'the full data set: 2 million pull requests and one organization of 9 million (about 25 GB)',
    )
    .option('--quick', 'a small data set and few turns: whether everything works, and about how fast')
    .option('--large <count>', 'pull requests of the largest organization', count)
    .option('--events <count>', 'events that are sent over HTTP', count)
    .option('--seconds <seconds>', 'how long each subject is measured in each turn', Number)
    .option('--turns <turns>', 'how often subjects that are compared are measured', Number)
    .option(
      '--warm-up <requests>',
      'how many pages each server sends before it is measured: its code is still being compiled meanwhile',
      Number,
    )
    .option('--write', 'write the results to bench/RESULTS.md')
    .parse();
  const options = command.opts<{
    full?: true;
    quick?: true;
    large?: number;
    events?: number;
    seconds?: number;
    turns?: number;
    warmUp?: number;
    write?: true;
  }>();
  const chosenSizes = options.quick ? quickSizes : defaultSizes;
  const sizes: Sizes = {
    ...(options.full ? fullSizes : chosenSizes),
    ...(options.large !== undefined && { large: options.large }),
    ...(options.events !== undefined && { events: options.events }),
  };
  const pace = options.quick
    ? { seconds: 0.3, turns: 3, warmUp: 100, starts: 3 }
    : { seconds: 1, turns: 15, warmUp: 5_000, starts: 5 };
  const paced = { ...pace, ...options };
  return {
    sizes,
    seconds: paced.seconds,
    turns: paced.turns,
    warmUpPages: paced.warmUp,
    starts: paced.starts,
    /** The flags for the heading of the results. */
    flags: [options.full && ' -- --full', options.quick && ' -- --quick'].find(Boolean) ?? '',
    writes: options.write === true,
  };
}
