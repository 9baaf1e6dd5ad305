import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { restoreMoment } from '../../../db/archive/restore-moment.ts';
import { restore } from '../../../db/backup/restore-backup.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { ownerFolder } from '../../../db/embedded/archive-owner.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { parseInstant } from '../../../lib/wire/calendar-date.ts';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { finishRestore } from '../../finish-restore.ts';
import { withInstallationDatabase } from '../../installation-database.ts';
import { print, startProgress } from '../../output.ts';

interface Options {
  readonly until?: Date | 'latest';
  readonly finish?: true;
  readonly sendWaiting?: true;
}

function parseUntil(text: string): Date | 'latest' {
  const moment = text === 'latest' ? text : parseInstant(text);
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError(
    'Use a date-time with an offset such as 2027-06-30T09:00:00Z, or "latest" for the end of the archive.',
  );
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .argument('[file]', 'a file written by "postil backup"')
    .option(
      '--until <moment>',
      'restore the embedded database to this moment, from POSTIL_ARCHIVE_DIR',
      parseUntil,
    )
    .option('--finish', 'only finish the restore of a database that was restored with other tools')
    .option(
      '--send-waiting',
      'send messages that were waiting to be sent; only if no server ran after the backup or the restored moment',
    )
    .description('restore a backup or a moment into an empty database, completely or not at all')
    .addHelpText(
      'after',
      examples(
        'postil restore postil-2026-06-01.backup',
        'POSTIL_DATA_DIR=./restored postil restore postil-2026-06-01.backup   # next to the current data',
        'POSTIL_DATA_DIR=./restored postil restore --until 2026-06-01T09:30:00Z',
        'DATABASE_URL=postgres://… postil restore --finish                    # after pgBackRest, a snapshot and so on',
      ),
    )
    .action(async (file: string | undefined, options: Options) => {
      const ways = [file, options.until, options.finish].filter((way) => way !== undefined);
      if (ways.length !== 1)
        throw new CommandError('Give exactly one of: a file, --until, --finish', usageExitCode);
      const finish = (database: Database) =>
        finishRestore(database, { sendWaiting: options.sendWaiting === true });
      const held =
        file !== undefined
          ? await restoreFile(file, finish)
          : options.until !== undefined
            ? await restoreUntil(options.until, finish)
            : await withInstallationDatabase(readSettings(), 'must be stopped', async (database) => {
                await migrate(database);
                return finish(database);
              });
      if (held !== '') print(held);
    });
}

type Finish = (database: Database) => Promise<string>;

async function restoreFile(file: string, finish: Finish): Promise<string> {
  const checking = startProgress('Checking');
  const restoring = startProgress('Restoring');
  const { rows, held } = await withInstallationDatabase(
    readSettings(),
    'must be stopped',
    async (database) => {
      const restored = await restore(database, file, {
        onCheck: (done, total) => checking.update(done, total),
        onProgress(_table, done, estimated) {
          checking.end();
          restoring.update(done, estimated);
        },
      });
      return { ...restored, held: await finish(database) };
    },
  ).finally(() => {
    checking.end();
    restoring.end();
  });
  print(`${rows} rows restored from ${file}`);
  return held;
}

async function restoreUntil(until: Date | 'latest', finish: Finish): Promise<string> {
  const { archive, databaseUrl, dataDirectory } = readSettings();
  if (databaseUrl !== undefined || archive === undefined)
    throw new CommandError('--until needs POSTIL_ARCHIVE_DIR, and is only for the embedded database');
  const directory = path.resolve(dataDirectory);
  const postgres = await restoreMoment(directory, archive.folder, until, (step) =>
    process.stderr.write(`${step}\n`),
  );
  const database = openDatabase(postgres.target, { maxConnections: 4, applicationName: 'postil' });
  try {
    const moment = until === 'latest' ? await describeLastChange(database) : `at ${until.toISOString()}`;
    await migrate(database);
    const held = await finish(database);
    print(`${directory} is as it was ${moment}`);
    print(
      `Before you start it, set POSTIL_ARCHIVE_DIR to another folder. If the original database no longer exists, you can delete ${ownerFolder(archive.folder)} instead, to continue its archive.`,
    );
    return held;
  } finally {
    await database.close();
    await postgres.stop();
  }
}

/** The moment that "latest" has reached, so that it can be seen what is missing. */
async function describeLastChange({ sql }: Database): Promise<string> {
  const [row] = await sql<{ at: Date | null }[]>`SELECT pg_last_xact_replay_timestamp() AS at`;
  return row?.at == null
    ? 'when it was copied'
    : `at ${row.at.toISOString()}, its last change in the archive`;
}
