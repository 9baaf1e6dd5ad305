import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ConnectionTarget, openDatabase } from '../src/db/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/embedded-postgres.ts';
import { patience } from './patience.ts';
import { removeFolder } from './remove-folder.ts';

const SERVER = path.join(import.meta.dirname, 'embedded-server.ts');
const run = promisify(execFile);

/** Data folders for tests of the embedded PostgreSQL. As root, they are in a place that other users cannot enter. */
export class EmbeddedFolders {
  readonly #running: EmbeddedPostgres[] = [];
  #home = '';
  #pristine = '';

  async open(): Promise<void> {
    this.#home = await mkdtemp(path.join(tmpdir(), 'postil-embedded-'));
  }

  /** Stops all running PostgreSQL servers and removes all folders. */
  async close(): Promise<void> {
    await Promise.all(this.#running.map((postgres) => postgres.stop()));
    await removeFolder(this.#home);
  }

  /** The path of a data folder that does not exist yet. */
  async absent(): Promise<string> {
    return path.join(await mkdtemp(path.join(this.#home, 'folder-')), 'data');
  }

  /** A data folder in which PostgreSQL has run and was stopped. */
  async existing(): Promise<string> {
    if (!this.#pristine) {
      this.#pristine = await this.absent();
      await (await this.start(this.#pristine)).stop();
    }
    const directory = await this.absent();
    await run('cp', ['-a', this.#pristine, directory]);
    return directory;
  }

  async start(directory: string, options: { durable?: boolean } = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ directory, durable: false, ...options });
    this.#running.push(postgres);
    return postgres;
  }
}

/** Runs one statement and returns its rows. */
export async function query<T>(target: ConnectionTarget, text: string): Promise<T[]> {
  const { sql, close } = openDatabase(target, { maxConnections: 2, ...patience });
  return [...((await sql.unsafe(text).finally(close)) as unknown as T[])];
}

/** The process id of the PostgreSQL in the data folder. */
export async function postmasterPid(directory: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(directory, 'postgres/postmaster.pid'), 'utf8'), 10);
}

/** Starts a server in a separate process, see embedded-server.ts. */
export function spawnServer(directory: string, mode: 'fast' | 'durable' | 'forget' = 'fast') {
  const child = spawn(process.execPath, [SERVER, directory, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(child, 'close');
  return {
    /** Waits until the output matches, or the process has ended. */
    async printed(awaited: RegExp): Promise<void> {
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      while (!awaited.test(text) && !hasEnded) await Promise.race([once(child.stdout, 'data'), ended]);
    },
    /** Waits for the process to end, and returns the last line it printed. */
    async lastLine(): Promise<string> {
      await ended;
      return text.trim().split('\n').at(-1) ?? '';
    },
    kill: () => child.kill('SIGKILL'),
  };
}
