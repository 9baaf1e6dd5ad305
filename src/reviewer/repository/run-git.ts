import { once } from 'node:events';
import { afterWaking } from '../../lib/concurrency/waking-time.ts';
import { startProgram } from '../../lib/launch/start-program.ts';
import type { StartedProgram } from '../../lib/launch/started-program.ts';
import { findPipe } from './find-pipe.ts';

/** Why Git gave no answer. */
export type GitFault = 'missing' | 'failed' | 'too_long' | 'too_much';

export class GitError extends Error {
  override readonly name = 'GitError';
  readonly fault: GitFault;

  constructor(fault: GitFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** What every call needs to know. */
export interface GitSettings {
  /** PATH, where the program is looked for. */
  readonly searchPath: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface GitCall extends GitSettings {
  readonly folder: string;
  /** Variables beside those that make Git deaf to its surroundings. */
  readonly variables?: Readonly<Record<string, string>>;
}

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 64 * 1024 * 1024;
/** Whoever takes longer in a working copy may be waiting for a pipe in it. */
const pipeMs = 3_000;

/** Nothing of the machine's or the user's configuration holds, nothing is fetched, nobody is asked, nothing is written. */
const deaf = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_PAGER: 'cat',
  HOME: '/nonexistent',
  LC_ALL: 'C',
};

/** What Git reads of a file at most to compare or search it. */
export const bigFileBytes = 16 * 1024 * 1024;

/** On the command line these win over whatever a repository configures. */
const harmless = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Names in octal numbers, which survive being read as UTF-8 even if they are not.
  ['core.quotePath', 'true'],
  ['diff.autoRefreshIndex', 'false'],
  // To compare a text line by line takes many times its size; larger ones are treated as if they were binary.
  ['core.bigFileThreshold', String(bigFileBytes)],
  // Whose repository it is does not matter, because nothing of its configuration is executed.
  ['safe.directory', '*'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** What was ended because it waits for a pipe. */
const waiting = new WeakMap<StartedProgram, string>();

/** None goes on for a process that has ended. */
const running = new Set<StartedProgram>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts Git; the caller reads its output and then calls `endOf`. */
export function startGit(given: readonly string[], call: GitCall): StartedProgram {
  const child = startProgram('git', ['--no-pager', ...harmless, ...given], {
    folder: call.folder,
    env: { ...(call.searchPath === undefined ? {} : { PATH: call.searchPath }), ...deaf, ...call.variables },
    signal: call.signal,
  });
  // Not the option of spawn: its timer would outlive a program that cannot be started.
  const limit = afterWaking(call.timeoutMs ?? defaultTimeoutMs, () => child.kill('SIGKILL'));
  const workingCopy = call.variables?.GIT_WORK_TREE;
  const look = workingCopy && setTimeout(() => void endAtPipe(child, workingCopy), pipeMs).unref();
  running.add(child);
  return child.once('close', () => {
    running.delete(child);
    limit.cancel();
    clearTimeout(look);
  });
}

async function endAtPipe(child: StartedProgram, workingCopy: string): Promise<void> {
  const pipe = await findPipe(workingCopy, () => running.has(child));
  if (pipe === undefined || !running.has(child)) return;
  waiting.set(child, pipe);
  child.kill('SIGKILL');
}

/** Waits until Git has ended well, or explains why it has not. */
export async function endOf(child: StartedProgram, call: GitCall): Promise<void> {
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 20) said.push(chunk);
  });
  try {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  } catch (error) {
    call.signal?.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new GitError('missing', 'The program git was not found; reviews need it');
    throw error;
  }
  call.signal?.throwIfAborted();
  const pipe = waiting.get(child);
  if (pipe !== undefined) throw new GitError('failed', `${pipe} is not a regular file`);
  if (child.signalCode !== null && child.killed)
    throw new GitError('too_long', 'git took too long and was stopped');
  // As when a file that it reads was cut off.
  if (child.signalCode !== null) throw new GitError('failed', `git was ended by ${child.signalCode}`);
  if (child.exitCode !== 0)
    throw new GitError('failed', Buffer.concat(said).toString().trim().slice(0, 2_000));
}

/** Runs Git to its end and gives what it wrote. */
export async function runGit(
  given: readonly string[],
  call: GitCall,
  input: string | Uint8Array = '',
): Promise<Buffer> {
  const child = startGit(given, call);
  const ended = endOf(child, call);
  child.stdin.on('error', () => {}).end(input);
  const maxBytes = call.maxBytes ?? defaultMaxBytes;
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const tooMuch = () => new GitError('too_much', 'git answered more than can be read');
  try {
    await ended;
  } catch (error) {
    throw length > maxBytes ? tooMuch() : error;
  }
  // It may have ended before it could be ended.
  if (length > maxBytes) throw tooMuch();
  return Buffer.concat(chunks);
}

/** The version of Git as it says itself, without the name of the program. */
export async function readGitVersion(settings: GitSettings): Promise<string> {
  const said = await runGit(['--version'], { ...settings, folder: '/' });
  return said
    .toString()
    .trim()
    .replace(/^git version /, '');
}
