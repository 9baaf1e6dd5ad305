import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import { compiledCodeEnvironment, siblingModule } from '../own-files.ts';
import { LaunchedProgram } from './launched-program.ts';
import { type FromLauncher, greetingLength, readGreeting, type ToLauncher } from './messages.ts';
import type { ProgramCall, StartedProgram } from './started-program.ts';

const main = fileURLToPath(siblingModule('launcher-main', import.meta.url));

/** A small process that starts programs for this one. It ends together with this process, and so do its programs. */
export class Launcher {
  readonly #secret = randomBytes(16).toString('hex');
  /** An abstract socket address of Linux: it leaves no file behind, and cannot collide with one. */
  readonly #address = `\0postil-launcher-${randomBytes(16).toString('hex')}`;
  readonly #child: ChildProcess;
  readonly #server: net.Server;
  readonly #programs = new Map<number, LaunchedProgram>();
  #nextId = 0;
  #isReady = false;
  #isGone = false;

  constructor() {
    this.#server = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
      this.#welcome(socket),
    );
    this.#server.on('error', () => this.#leave());
    this.#child = fork(main, {
      env: { ...compiledCodeEnvironment() },
      execArgv: ['--max-semi-space-size=1', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message: FromLauncher) => this.#hear(message));
    this.#child.once('exit', () => this.#leave()).once('error', () => this.#leave());
    this.#server.listen(this.#address, () =>
      this.#tell({ kind: 'listening', address: this.#address, secret: this.#secret }),
    );
    this.#keepProcess();
  }

  /** Whether it can start programs: it takes a moment to start, and some sandboxes forbid such connections. */
  get isReady(): boolean {
    return this.#isReady && !this.#isGone;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get wasReady(): boolean {
    return this.#isReady;
  }

  start(program: string, args: readonly string[], { folder, env, signal }: ProgramCall): StartedProgram {
    const id = this.#nextId;
    this.#nextId += 1;
    const launched = new LaunchedProgram(() => this.#tell({ kind: 'kill', id }), signal);
    this.#programs.set(id, launched);
    this.#keepProcess();
    // Not at the end of the program: its output may still be arriving then.
    launched.once('close', () => {
      this.#programs.delete(id);
      this.#keepProcess();
    });
    this.#tell({ kind: 'start', id, program, args, folder, env });
    return launched;
  }

  /** Accepts a connection for a program's stream. Other processes do not know the secret, so their connections are closed. */
  #welcome(socket: net.Socket): void {
    const length = greetingLength(this.#secret);
    socket.on('error', () => {});
    const onReadable = () => {
      const bytes: Buffer | null = socket.read(length);
      if (bytes === null) return;
      socket.off('readable', onReadable);
      const greeted = readGreeting(this.#secret, bytes.toString('latin1'));
      const program = greeted && this.#programs.get(greeted.id);
      if (greeted === undefined || program === undefined) socket.destroy();
      else program.connect(greeted.stream, socket);
    };
    socket.on('readable', onReadable);
    onReadable();
  }

  #hear(message: FromLauncher): void {
    if (message.kind === 'ready') {
      this.#isReady = true;
      return;
    }
    const program = this.#programs.get(message.id);
    if (message.kind === 'ended') program?.end(message);
    else program?.fail(Object.assign(new Error(message.message), { code: message.code }));
  }

  #tell(message: ToLauncher): void {
    // If the process has died, its exit event is handled.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#server.close();
    this.#child.kill('SIGKILL');
    for (const program of this.#programs.values()) program.cutOff();
  }

  /** Running programs keep this process alive, like its own child processes; the launcher alone does not. */
  #keepProcess(): void {
    const how = this.#programs.size > 0 ? 'ref' : 'unref';
    this.#server[how]();
    this.#child[how]();
    this.#child.channel?.[how]();
  }
}
