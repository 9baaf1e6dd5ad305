import type { Command } from 'commander';
import { dataDirectoryDefault } from '../../../settings.ts';

const startHelp = `
It stays in the foreground; Ctrl-C or SIGTERM stops it. Everything is configured by environment variables: its data is in
POSTIL_DATA_DIR (${dataDirectoryDefault}), its port is POSTIL_PORT (8787), and DATABASE_URL selects a database of your own.

Examples:
  postil start
  POSTIL_DATA_DIR=/var/lib/postil POSTIL_PORT=8790 postil start`;

export function addStart(program: Command): void {
  program
    .command('start')
    .description('start the server')
    .addHelpText('after', startHelp)
    .action(async () => {
      // Imported here so that the other commands do not load the whole server.
      const { runServer } = await import('../../../run-server.ts');
      await runServer();
    });
}
