import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough, pipeline } from 'node:stream';
import type { FromLauncher, StreamName } from './messages.ts';
import type { StartedProgram } from './started-program.ts';

/** A program that was started by the launcher. Its streams are connected to this process directly. */
export class LaunchedProgram extends EventEmitter implements StartedProgram {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  killed = false;
  readonly #askToKill: () => void;
  readonly #signal: AbortSignal | undefined;
  readonly #sockets: Socket[] = [];
  #isConnected = false;
  #isClosed = false;
  #isOver = false;
  #isAborted = false;

  constructor(askToKill: () => void, signal: AbortSignal | undefined) {
    super();
    this.#askToKill = askToKill;
    this.#signal = signal;
    // The readers and writers of the streams get the error, too; without any, it does not matter.
    for (const stream of [this.stdin, this.stdout]) stream.on('error', () => {});
    if (signal?.aborted) queueMicrotask(this.#onAbort);
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  kill(): boolean {
    if (this.#isOver) return false;
    this.killed = true;
    this.#askToKill();
    return true;
  }

  connect(stream: StreamName, socket: Socket): void {
    const target = stream === 'in' ? this.stdin : this.stdout;
    if (this.#isClosed || target.destroyed) return void socket.destroy();
    this.#sockets.push(socket);
    // An error of the connection becomes one of the program's stream.
    if (stream === 'in') pipeline(this.stdin, socket, () => {});
    else {
      this.#isConnected = true;
      pipeline(socket, this.stdout, () => {});
    }
  }

  end({ exitCode, signalCode, said }: Omit<Extract<FromLauncher, { kind: 'ended' }>, 'kind' | 'id'>): void {
    this.#over();
    this.exitCode = exitCode;
    this.signalCode = signalCode;
    this.stderr.end(said);
    void Promise.all([whenRead(this.stdout), whenRead(this.stderr)]).then(() => this.#close());
  }

  /** Called when the launcher has died: the program's end cannot be observed any more. */
  cutOff(): void {
    // A connected stream ends together with the program.
    if (!this.#isConnected) this.stdout.end();
    if (!this.#isOver) this.end({ exitCode: null, signalCode: 'SIGKILL', said: '' });
  }

  fail(error: Error): void {
    this.#over();
    for (const stream of [this.stdout, this.stderr]) stream.destroy();
    if (!this.#isAborted) this.emit('error', error);
    this.#close();
  }

  /** Each connection is used in one direction only and still open in the other one, so it must be closed explicitly. */
  #close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.emit('close', this.exitCode, this.signalCode);
  }

  #over(): void {
    this.#isOver = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.stdin.destroy();
  }

  readonly #onAbort = () => {
    if (this.#isOver) return;
    this.#isAborted = true;
    this.kill();
    this.emit('error', this.#signal!.reason);
  };
}

/**
 * Resolves when all data was written, and was read if the stream has a reader in flowing mode. A reader that asks for each
 * chunk may continue later.
 */
function whenRead(stream: PassThrough): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once('close', resolve);
    // Data without a reader must be discarded, or the stream never ends.
    if (stream.readableFlowing === null && stream.listenerCount('readable') === 0) stream.resume();
    if (stream.readableFlowing) return;
    if (stream.writableFinished) resolve();
    else stream.once('finish', resolve);
  });
}
