import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { startProgram } from '../../lib/launch/start-program.ts';

const maxOutputBytes = 32 * 1024 * 1024;

/** Runs a linter to its end with an empty environment; what it writes is returned whatever its exit status. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: {
    folder: string;
    signal: AbortSignal;
    searchPath?: string | undefined;
    /** Takes each line that it writes, of which then none is returned: there may be more than memory holds. */
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

/** Nothing but `\n` ends a line: what a program quotes may hold U+2028, which ends one elsewhere. */
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
