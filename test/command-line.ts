import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { after } from 'node:test';
import { childEnvironment } from './child-environment.ts';

const main = path.join(import.meta.dirname, '../src/cli/main.ts');

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the postil command with these environment variables and no others. */
export async function runCommand(
  given: readonly string[],
  variables: Record<string, string> = {},
  input?: string | Buffer,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [main, ...given], {
    env: { ...childEnvironment, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A command that waits for ever fails its own test instead of the whole run.
    timeout: 900_000,
    killSignal: 'SIGKILL',
  });
  // A command that does not read its input may exit before it is written.
  child.stdin.on('error', () => {}).end(input);
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** Starts a server with this listener; returns the environment variables that point a command to it. */
export async function startFakeServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    POSTIL_URL: `http://127.0.0.1:${port}`,
    POSTIL_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  };
}
