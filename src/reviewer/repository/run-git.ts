import { once } from 'node:events';
import { afterWaking } from '../../lib/concurrency/waking-time.ts';
import { startProgram } from '../../lib/launch/start-program.ts';
import type { StartedProgram } from '../../lib/launch/started-program.ts';
import { findPipe } from './find-pipe.ts';

/** Why Git gave no answer: it is not installed, it failed, took too long, or wrote too much. */
export type GitFault = 'missing' | 'failed' | 'too_long' | 'too_much';

export class GitError extends Error {
  override readonly name = 'GitError';
  readonly fault: GitFault;

  constructor(fault: GitFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** The settings of every call. */
export interface GitSettings {
  /** PATH, in which the program is searched for. */
  readonly searchPath: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
}

export interface GitCall extends GitSettings {
  readonly folder: string;
  /** Variables in addition to those that isolate Git from its environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 64 * 1024 * 1024;
/** A process that takes longer in a working copy may be blocked on a pipe in it. */
const pipeMs = 3_000;

/** Isolates Git: no configuration of the machine or user, no fetching, no prompts, no writes. */
const isolation = {
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

/** The maximum size of files that Git compares or searches. */
export const bigFileBytes = 16 * 1024 * 1024;

/** On the command line, these take precedence over the configuration of a repository. */
const harmless = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  // Escapes names in octal, which survives decoding as UTF-8 even if the names are not UTF-8.
  ['core.quotePath', 'true'],
  ['diff.autoRefreshIndex', 'false'],
  // Comparing texts takes many times their size in memory; larger ones are treated as binary.
  ['core.bigFileThreshold', String(bigFileBytes)],
  // The owner of a repository does not matter, because nothing of its configuration is executed.
  ['safe.directory', '*'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Processes that were killed because they were blocked on a pipe, with its path. */
const waiting = new WeakMap<StartedProgram, string>();

/** The running processes; killed when this process exits. */
const running = new Set<StartedProgram>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts Git; the caller reads its output and then calls `endOf`. */
export function startGit(given: readonly string[], call: GitCall): StartedProgram {
  const child = startProgram('git', ['--no-pager', ...harmless, ...given], {
    folder: call.folder,
    env: {
      ...(call.searchPath === undefined ? {} : { PATH: call.searchPath }),
      ...isolation,
      ...call.variables,
    },
    signal: call.signal,
  });
  // Not the timeout option of spawn: its timer would outlive a program that cannot be started.
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

/** Waits until Git has succeeded; throws the reason if it has not. */
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
  // For example because a file was truncated while Git read it.
  if (child.signalCode !== null) throw new GitError('failed', `git was ended by ${child.signalCode}`);
  if (child.exitCode !== 0)
    throw new GitError('failed', Buffer.concat(said).toString().trim().slice(0, 2_000));
}

/** Runs Git to its end and returns its output. */
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
  // Git may have ended before it could be killed.
  if (length > maxBytes) throw tooMuch();
  return Buffer.concat(chunks);
}

/** The version that Git reports, without the name of the program. */
export async function readGitVersion(settings: GitSettings): Promise<string> {
  const said = await runGit(['--version'], { ...settings, folder: '/' });
  return said
    .toString()
    .trim()
    .replace(/^git version /, '');
}
