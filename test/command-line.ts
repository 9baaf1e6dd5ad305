import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import path from 'node:path';
import { after } from 'node:test';

const main = path.join(import.meta.dirname, '../src/cli/main.ts');

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the postil command with these variables and nothing else of the environment. */
export async function runCommand(
  given: readonly string[],
  variables: Record<string, string> = {},
  input?: string | Buffer,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [main, ...given], {
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that needs no input ends before it is written.
  child.stdin.on('error', () => {}).end(input);
  const [out, err] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

/** A server that answers as told, and the variables with which a command finds it. */
export async function startStandIn(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
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
