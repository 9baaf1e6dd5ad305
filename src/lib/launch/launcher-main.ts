import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { type FromLauncher, greeting, type StreamName, type ToLauncher } from './messages.ts';

// A small process that starts programs for its parent. Starting a program copies the whole process first, which takes longer the
// more memory it has (ADR 0145). So this one imports nothing else, to stay small.

type Start = Extract<ToLauncher, { kind: 'start' }>;

const maxSaid = 64 * 1024;
/** The running programs by id: null while their streams are being connected, false once they are to be killed. */
const started = new Map<number, ChildProcess | null | false>();
let place: { readonly address: string; readonly secret: string } | undefined;

function tell(message: FromLauncher): void {
  if (process.connected) process.send!(message, () => {});
}

/** Opens a connection to the parent process, to become a stream of the program: nothing may be read from it here. */
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
    // From now on the program has its own copies of the connections, which are closed when it ends.
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
  // Fails, and so ends this process, where such connections are forbidden, before any program relies on them.
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
// Ignored: these signals are for the parent process, and this one ends together with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
