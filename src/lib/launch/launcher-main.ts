import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { type FromLauncher, greeting, type StreamName, type ToLauncher } from './messages.ts';

// Starts programs for the process that started it, because it is small: to start one, a process is copied first, which takes the
// longer the more memory it has (ADR 0145). It imports nothing else, so that it stays small.

type Start = Extract<ToLauncher, { kind: 'start' }>;

const maxSaid = 64 * 1024;
/** Null while its streams are being connected; false once it is not wanted any more. */
const started = new Map<number, ChildProcess | null | false>();
let place: { readonly address: string; readonly secret: string } | undefined;

function tell(message: FromLauncher): void {
  if (process.connected) process.send!(message, () => {});
}

/** A connection to whoever asked, which becomes a stream of the program: nothing of it may be read here. */
async function connect(id: number, stream: StreamName): Promise<net.Socket> {
  const { address, secret } = place!;
  const socket = net.connect(address);
  socket.pause();
  await once(socket, 'connect');
  await new Promise<void>((resolve, reject) =>
    socket.write(greeting(secret, id, stream), (error) => (error ? reject(error) : resolve())),
  );
  return socket;
}

async function start({ id, program, args, folder, env }: Start): Promise<void> {
  started.set(id, null);
  const sockets: net.Socket[] = [];
  const letGo = () => {
    for (const socket of sockets) socket.destroy();
  };
  try {
    for (const stream of ['in', 'out'] as const) sockets.push(await connect(id, stream));
    if (started.get(id) === false) {
      tell({ kind: 'ended', id, exitCode: null, signalCode: 'SIGKILL', said: '' });
      return;
    }
    const child = spawn(program, args, { cwd: folder, env, stdio: [sockets[0]!, sockets[1]!, 'pipe'] });
    started.set(id, child);
    // From now on they are the program's alone, and end with it.
    letGo();
    const said: Buffer[] = [];
    let length = 0;
    child.stderr!.on('data', (chunk: Buffer) => {
      if (length < maxSaid) said.push(chunk);
      length += chunk.length;
    });
    const [exitCode, signalCode] = await once(child, 'close');
    tell({ kind: 'ended', id, exitCode, signalCode, said: Buffer.concat(said).toString().slice(0, maxSaid) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    tell({ kind: 'failed', id, code, message });
  } finally {
    started.delete(id);
    letGo();
  }
}

async function listen(given: { readonly address: string; readonly secret: string }): Promise<void> {
  place = given;
  // Where such connections are not allowed, this ends it before anything relies on it.
  const trial = net.connect(given.address);
  await once(trial, 'connect');
  trial.destroy();
  tell({ kind: 'ready' });
}

function kill(id: number): void {
  const child = started.get(id);
  if (child === null) started.set(id, false);
  else if (child) child.kill('SIGKILL');
}

process.on('message', (message: ToLauncher) => {
  if (message.kind === 'listening') void listen(message);
  if (message.kind === 'start') void start(message);
  if (message.kind === 'kill') kill(message.id);
});
process.on('disconnect', () => {
  for (const child of started.values()) if (child) child.kill('SIGKILL');
  process.exit();
});
// These are for whoever it works for, with whom it ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
