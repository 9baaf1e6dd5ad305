import type { Command } from 'commander';
import { endAllAccess } from '../../../capabilities/dashboard-session/accounts/end-access.ts';
import { restore } from '../../../db/backup/restore.ts';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../examples.ts';
import { withInstallationDatabase } from '../../installation-database.ts';
import { print, startProgress } from '../../output.ts';

export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('<file>', 'a file written by "postil backup"')
    .description('restore a backup into an empty database, completely or not at all')
    .addHelpText(
      'after',
      examples(
        'postil restore postil-2026-06-01.backup',
        'POSTIL_DATA_DIR=./restored postil restore postil-2026-06-01.backup   # next to the current data',
      ),
    )
    .action(async (file: string) => {
      const checking = startProgress('Checking');
      const restoring = startProgress('Restoring');
      const { rows } = await withInstallationDatabase(readSettings(), 'must be stopped', async (database) => {
        const restored = await restore(database, file, {
          onCheck: (done, total) => checking.update(done, total),
          onProgress(_table, done, estimated) {
            checking.end();
            restoring.update(done, estimated);
          },
        });
        await endAllAccess(database.sql);
        return restored;
      }).finally(() => {
        checking.end();
        restoring.end();
      });
      print(`${rows} rows restored from ${file}`);
    });
}
