import type { Command } from 'commander';
import { backup } from '../../../db/backup/write-backup.ts';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { withInstallationDatabase } from '../../installation-database.ts';
import { print, startProgress } from '../../output.ts';

export function addBackup(program: Command): void {
  program
    .command('backup')
    .argument('<file>', 'file to write; must not exist yet')
    .description('write everything to one file, whether or not the server is running')
    .addHelpText('after', examples('postil backup postil-2026-06-01.backup'))
    .action(async (file: string) => {
      const progress = startProgress('Backing up');
      const { rows } = await withInstallationDatabase(readSettings(), 'start if stopped', (database) =>
        backup(database, file, (_table, done, estimated) => progress.update(done, estimated)),
      ).finally(() => progress.end());
      print(
        `${rows} rows written to ${file}. It contains everything except the operator token and the secret key; protect it like the data folder.`,
      );
    });
}
