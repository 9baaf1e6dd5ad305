import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { startProgram } from '../../src/lib/launch/start-program.ts';

export interface ProgramCall {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: Uint8Array;
}
export interface ProgramEnd {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: Buffer;
}

/**
 * Runs a program until it ends. It is started in the same way as by the product, because tests start so many that the cost
 * matters.
 */
export async function runProgram(
  file: string,
  given: readonly string[],
  { cwd = process.cwd(), env = process.env, input = Buffer.alloc(0) }: ProgramCall = {},
): Promise<ProgramEnd> {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const program = startProgram(file, given, { folder: cwd, env: Object.fromEntries(defined) });
  program.stdin.on('error', () => {}).end(input);
  const [out, err] = await Promise.all([
    buffer(program.stdout),
    buffer(program.stderr),
    once(program, 'close'),
  ]);
  return { code: program.exitCode, out, err };
}

/** Runs Git and returns its trimmed output; throws an error with its standard error if it fails. */
export async function runTestGit(given: readonly string[], call: ProgramCall = {}): Promise<string> {
  const { code, out, err } = await runProgram('git', given, call);
  if (code === 0) return out.toString().trim();
  const stderr = err.toString();
  throw Object.assign(new Error(`Command failed: git ${given.join(' ')}\n${stderr}`), { code, stderr });
}
