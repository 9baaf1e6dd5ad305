import { Command, CommanderError } from 'commander';
import { explainFailure } from '../explain-failure.ts';
import { productVersion } from '../lib/product-version.ts';
import { dataDirectoryDefault } from '../settings.ts';
import { CommandError, usageExitCode } from './command-error.ts';
import { addAdminsList } from './commands/admins-list.ts';
import { addAdminsRevoke } from './commands/admins-revoke.ts';
import { addAuditExport } from './commands/audit-export.ts';
import { addAuditVerify } from './commands/audit-verify.ts';
import { addConnections } from './commands/connections/connections-commands.ts';
import { addEventsSend } from './commands/events-send.ts';
import { addBackup } from './commands/installation/backup.ts';
import { addDemo } from './commands/installation/demo.ts';
import { addDoctor } from './commands/installation/doctor.ts';
import { addRestore } from './commands/installation/restore.ts';
import { addSecretsRotate } from './commands/installation/secrets-rotate.ts';
import { addStart } from './commands/installation/start.ts';
import { addInvite } from './commands/invite.ts';
import { addKeysCreate } from './commands/keys-create.ts';
import { addKeysList } from './commands/keys-list.ts';
import { addKeysRevoke } from './commands/keys-revoke.ts';
import { addApply } from './commands/platform-apply.ts';
import { addExport } from './commands/platform-export.ts';
import { addConfigCheck } from './commands/reviews/config-check.ts';
import { addCoverage } from './commands/reviews/coverage-send.ts';
import { addEval } from './commands/reviews/eval.ts';
import { addOsv } from './commands/reviews/osv-import.ts';
import { addReview } from './commands/reviews/review.ts';
import { addRules } from './commands/rules/rules-commands.ts';
import { addSourcesAdd } from './commands/sources/sources-add.ts';
import { addSourcesList } from './commands/sources/sources-list.ts';
import { addSourcesRemove } from './commands/sources/sources-remove.ts';

/** The postil command with all its subcommands. */
export function createProgram(): Command {
  const program = new Command('postil')
    .description('Run and operate a Postil server: its tenants, keys, events and data.')
    .version(productVersion)
    .showHelpAfterError('(use --help for usage)')
    .exitOverride()
    // An option belongs to the command that it follows, so that one below another can have options of the same name.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
The server is found through POSTIL_URL and POSTIL_OPERATOR_TOKEN, or in the data folder (POSTIL_DATA_DIR, ${dataDirectoryDefault}).
Exit status: 0 success, 1 failure, 2 incorrect usage, 130 interrupted by Ctrl-C.`,
    );
  addStart(program);
  addApply(program);
  addExport(program);
  const keys = program.command('keys').description('API keys');
  addKeysCreate(keys);
  addKeysList(keys);
  addKeysRevoke(keys);
  addConnections(program);
  const sources = program.command('sources').description('event sources: keys that may only report events');
  addSourcesAdd(sources);
  addSourcesList(sources);
  addSourcesRemove(sources);
  addEventsSend(program.command('events').description('events from reviewers and Git providers'));
  addInvite(program);
  const admins = program.command('admins').description('admins of the installation');
  addAdminsList(admins);
  addAdminsRevoke(admins);
  const audit = program.command('audit').description('the audit log');
  addAuditVerify(audit);
  addAuditExport(audit);
  addReview(program);
  addCoverage(program);
  addEval(program);
  addOsv(program);
  addConfigCheck(program.command('config').description('configuration of reviews'));
  addRules(program);
  addBackup(program);
  addRestore(program);
  addSecretsRotate(program.command('secrets').description('the key that seals stored credentials'));
  addDoctor(program);
  addDemo(program);
  return program;
}

/** Runs a command line and returns its exit status: 0 success, 1 failure, 2 incorrect usage. Failures are explained on standard error. */
export async function runProgram(given: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(given, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already reported what was wrong; asking for help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    process.stderr.write(`${explainFailure(error)}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}
