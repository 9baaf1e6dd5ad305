import { rmSync } from 'node:fs';
import { mkdtemp, symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SOCKET_PORT } from './postgres-settings.ts';

const MAX_SOCKET_PATH = 103; // macOS 103, Linux 107 bytes

/** A path to the socket's folder that is short enough for the operating system. */
export interface SocketDirectory {
  readonly path: string;
  /** Whether a PostgreSQL is listening there. */
  isAlive(): Promise<boolean>;
  /** Removes the shortcut, if one was needed. */
  remove(): void;
}

function socketIn(directory: string): string {
  return path.join(directory, `.s.PGSQL.${SOCKET_PORT}`);
}

function accepts(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const settle = (alive: boolean) => {
      socket.destroy();
      resolve(alive);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** The folder itself or, if its path is too long, a private shortcut to it that is removed when this process ends. */
export async function shortSocketDirectory(folder: string): Promise<SocketDirectory> {
  if (Buffer.byteLength(socketIn(folder)) <= MAX_SOCKET_PATH) {
    return { path: folder, isAlive: () => accepts(socketIn(folder)), remove: () => {} };
  }
  const home = await mkdtemp(path.join(tmpdir(), 'postil-'));
  const shortcut = path.join(home, 'db');
  await symlink(folder, shortcut);
  const remove = () => {
    process.off('exit', remove);
    rmSync(home, { recursive: true, force: true });
  };
  process.on('exit', remove);
  return { path: shortcut, isAlive: () => accepts(socketIn(shortcut)), remove };
}
