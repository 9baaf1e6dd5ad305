import { once } from 'node:events';
import { createRequire } from 'node:module';
import type cliProgress from 'cli-progress';

/** Loaded on first use: most commands show no progress, or run in scripts. */
const loadBars = () => createRequire(import.meta.url)('cli-progress') as typeof cliProgress;

/** Writes a line of a command's result. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Writes a result that arrives in chunks, waiting for the reader of the output. */
export async function printAll(pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

/** Writes a note for the person at the terminal, separate from the result. */
export function printNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

export interface Progress {
  update(done: number, total: number): void;
  end(): void;
}

/** Shows the progress of long work on a terminal, and nothing elsewhere. */
export function startProgress(label: string): Progress {
  if (!process.stderr.isTTY) return { update() {}, end() {} };
  const { SingleBar, Presets } = loadBars();
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}% | {eta_formatted} left`,
      hideCursor: true,
      stream: process.stderr,
      clearOnComplete: false,
    },
    Presets.shades_classic,
  );
  let isStarted = false;
  const stop = () => bar.stop(); // and show the cursor again
  return {
    update(done, total) {
      if (!isStarted) {
        bar.start(Math.max(total, 1), 0);
        process.on('exit', stop);
      }
      isStarted = true;
      bar.setTotal(Math.max(total, 1));
      bar.update(Math.min(done, total));
    },
    end() {
      process.off('exit', stop);
      stop();
    },
  };
}

/** Shows on a terminal that work of unknown length is running, and for how long. */
export function startWaiting(label: string): Pick<Progress, 'end'> {
  if (!process.stderr.isTTY) return { end() {} };
  const { SingleBar } = loadBars();
  const bar = new SingleBar({
    format: `${label} … {duration_formatted}`,
    hideCursor: true,
    stream: process.stderr,
    fps: 2,
    clearOnComplete: true,
  });
  bar.start(1, 0);
  const stop = () => bar.stop();
  process.on('exit', stop);
  const timer = setInterval(() => bar.update(0), 500);
  return {
    end() {
      clearInterval(timer);
      process.off('exit', stop);
      stop();
    },
  };
}

/** Formats rows as aligned columns. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
}
