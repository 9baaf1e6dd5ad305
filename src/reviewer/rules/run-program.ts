import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { startProgram } from '../../lib/launch/start-program.ts';

const maxOutputBytes = 32 * 1024 * 1024;

/** Runs a linter with an almost empty environment until it exits; returns its output, whatever its exit status. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: {
    folder: string;
    signal: AbortSignal;
    searchPath?: string | undefined;
    /** Called with each line of the output, which is not returned then: it may be larger than memory. */
    onLine?: (line: string) => void;
  },
): Promise<{ output: string; errors: string }> {
  const child = startProgram(program, args, {
    folder: options.folder,
    env: { LC_ALL: 'C.UTF-8', ...(options.searchPath === undefined ? {} : { PATH: options.searchPath }) },
    signal: options.signal,
  });
  child.stdin.on('error', () => {}).end();
  const ended = once(child, 'close');
  const [output, errors] = [[], []] as Buffer[][];
  let length = 0;
  const { onLine } = options;
  if (onLine !== undefined) readLines(child.stdout, onLine);
  for (const [stream, chunks] of [
    ...(onLine === undefined ? [[child.stdout, output!] as const] : []),
    [child.stderr, errors!] as const,
  ])
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputBytes) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
  await ended;
  if (length > maxOutputBytes) throw new Error(`${program} wrote more than can be read`);
  return { output: Buffer.concat(output!).toString(), errors: Buffer.concat(errors!).toString() };
}

/** Splits at `\n` only: code that a program quotes may contain U+2028, which other readers treat as a line break. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  stream.setEncoding('utf8');
  let begun = '';
  stream.on('data', (chunk: string) => {
    const [first, ...others] = chunk.split('\n');
    begun += first;
    for (const line of others) {
      onLine(begun);
      begun = line;
    }
  });
  stream.on('end', () => {
    if (begun !== '') onLine(begun);
  });
}
