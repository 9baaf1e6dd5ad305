import { spawn } from 'node:child_process';
import path from 'node:path';
import { startEmbeddedPostgres } from '../../src/db/embedded/embedded-postgres.ts';
import { openRunFolder } from './run-folder.ts';

/** A minimal test run for tests that kill it: its folder, a PostgreSQL in it, and a process that runs a test. */
const [parent = ''] = process.argv.slice(2);
const folder = await openRunFolder(parent);
const { target } = await startEmbeddedPostgres({
  directory: path.join(folder.path, 'database'),
  durable: false,
});
spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)'], {
  env: { ...process.env, TMPDIR: folder.path },
  // Inherits the output, so that its reader sees the end only when this process has ended, too.
  stdio: ['ignore', 'inherit', 'ignore'],
});
process.stdout.write(`${JSON.stringify({ folder: folder.path, target })}\n`);
