import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compiledCodeEnvironment, siblingModule } from '../../../lib/own-files.ts';
import { type GitCall, GitError, type GitFault, type RunGit, startGitBy } from '../run-git.ts';

export interface ToStarter {
  readonly id: number;
  /** Undefined where a call that was made is to be ended. */
  readonly run?: { given: readonly string[]; call: GitCall; input: string | Uint8Array };
}
export interface FromStarter {
  readonly id: number;
  readonly answer: { readonly bytes: Uint8Array } | { readonly fault: GitFault; readonly message: string };
}

interface Waiting {
  resolve(bytes: Buffer): void;
  reject(error: Error): void;
}

const main = fileURLToPath(siblingModule('starter-main', import.meta.url));

/**
 * Starts Git from a small process of its own. The system copies the tables of a process's whole memory to start another from it,
 * during which it does nothing else: a server of 500 MB stands still for as long as Git takes to do its work.
 *
 * The process is started with the first call, lives as long as this one, and keeps it from ending only while calls are made.
 */
export function createGitStarter(): { readonly run: RunGit; readonly pid: () => number | undefined } {
  let child: ChildProcess | undefined;
  let calls = 0;
  const waiting = new Map<number, Waiting>();

  function start(): ChildProcess {
    const started = fork(main, {
      // A group of its own: Ctrl-C is for this process, which then decides what becomes of its calls.
      detached: true,
      env: compiledCodeEnvironment(),
      execArgv: ['--max-semi-space-size=1'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const onEnd = () => {
      if (child === started) child = undefined;
      for (const { reject } of waiting.values())
        reject(new GitError('failed', 'git was ended with the process that had started it'));
      waiting.clear();
    };
    started.on('message', ({ id, answer }: FromStarter) => {
      const call = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) started.channel?.unref();
      if ('bytes' in answer)
        call?.resolve(Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.length));
      else call?.reject(new GitError(answer.fault, answer.message));
    });
    started.once('exit', onEnd).once('error', onEnd).unref();
    return started;
  }

  return {
    pid: () => child?.pid,
    async run(given, { signal, ...call }, input = '') {
      signal?.throwIfAborted();
      child ??= start();
      const to = child;
      calls += 1;
      const id = calls;
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      waiting.set(id, { resolve, reject });
      to.channel?.ref();
      // What cannot be sent any more is answered by the end of the process.
      const send = (message: ToStarter) => to.send(message, () => {});
      send({ id, run: { given, call, input } });
      const onAbort = () => send({ id });
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        return await promise;
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
  };
}

const starter = createGitStarter();

/** From now on Git is started by a small process for this one. */
export function startGitFromSmallProcess(): void {
  startGitBy(starter.run);
}
