import { Command, CommanderError } from 'commander';
import { productVersion } from '../lib/product-version.ts';
import { dataDirectoryDefault, SettingsError } from '../settings.ts';
import { CommandError, usageExitCode } from './command-error.ts';

/**
 * The functions that add each command, in the order of the help. Commands are imported on demand, because importing all of
 * them is slow.
 */
const commands: Readonly<Record<string, (program: Command) => Promise<void>>> = {
  async start(program) {
    (await import('./commands/installation/start.ts')).addStart(program);
  },
  async apply(program) {
    (await import('./commands/platform-apply.ts')).addApply(program);
  },
  async export(program) {
    (await import('./commands/platform-export.ts')).addExport(program);
  },
  async keys(program) {
    const keys = program.command('keys').description('API keys');
    (await import('./commands/keys-create.ts')).addKeysCreate(keys);
    (await import('./commands/keys-list.ts')).addKeysList(keys);
    (await import('./commands/keys-revoke.ts')).addKeysRevoke(keys);
  },
  async connections(program) {
    (await import('./commands/connections/connections-commands.ts')).addConnections(program);
  },
  async sources(program) {
    const sources = program.command('sources').description('event sources: keys that may only report events');
    (await import('./commands/sources/sources-add.ts')).addSourcesAdd(sources);
    (await import('./commands/sources/sources-list.ts')).addSourcesList(sources);
    (await import('./commands/sources/sources-remove.ts')).addSourcesRemove(sources);
  },
  async events(program) {
    const events = program.command('events').description('events from reviewers and Git providers');
    (await import('./commands/events-send.ts')).addEventsSend(events);
  },
  async invite(program) {
    (await import('./commands/invite.ts')).addInvite(program);
  },
  async admins(program) {
    const admins = program.command('admins').description('admins of the installation');
    (await import('./commands/admins-list.ts')).addAdminsList(admins);
    (await import('./commands/admins-revoke.ts')).addAdminsRevoke(admins);
  },
  async audit(program) {
    const audit = program.command('audit').description('the audit log');
    (await import('./commands/audit-verify.ts')).addAuditVerify(audit);
    (await import('./commands/audit-export.ts')).addAuditExport(audit);
  },
  async review(program) {
    (await import('./commands/reviews/review.ts')).addReview(program);
  },
  async coverage(program) {
    (await import('./commands/reviews/coverage-send.ts')).addCoverage(program);
  },
  async eval(program) {
    (await import('./commands/reviews/eval.ts')).addEval(program);
  },
  async osv(program) {
    (await import('./commands/reviews/osv-import.ts')).addOsv(program);
  },
  async config(program) {
    const config = program.command('config').description('configuration of reviews');
    (await import('./commands/reviews/config-check.ts')).addConfigCheck(config);
  },
  async rules(program) {
    (await import('./commands/rules/rules-commands.ts')).addRules(program);
  },
  async backup(program) {
    (await import('./commands/installation/backup.ts')).addBackup(program);
  },
  async restore(program) {
    (await import('./commands/installation/restore.ts')).addRestore(program);
  },
  async secrets(program) {
    const secrets = program.command('secrets').description('the key that seals stored credentials');
    (await import('./commands/installation/secrets-rotate.ts')).addSecretsRotate(secrets);
  },
  async doctor(program) {
    (await import('./commands/installation/doctor.ts')).addDoctor(program);
  },
  async demo(program) {
    (await import('./commands/installation/demo.ts')).addDemo(program);
  },
};

/** The postil program with only the named subcommand, or with all of them if the name is unknown. */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('postil')
    .description('Run and operate a Postil server: its tenants, keys, events and data.')
    .version(productVersion)
    .showHelpAfterError('(use --help for usage)')
    .exitOverride()
    // An option belongs to the command that it follows, so that a subcommand can have an option of the same name.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
The server is found through POSTIL_URL and POSTIL_OPERATOR_TOKEN, or in the data folder (POSTIL_DATA_DIR, ${dataDirectoryDefault}).
Exit status: 0 success, 1 failure, 2 incorrect usage, 130 interrupted by Ctrl-C.`,
    );
  const all = name === '--version' ? [] : Object.values(commands);
  const needed = Object.hasOwn(commands, name) ? [commands[name]!] : all;
  for (const add of needed) await add(program);
  return program;
}

async function sentenceFor(error: unknown): Promise<string> {
  if (error instanceof CommandError || error instanceof SettingsError) return error.message;
  // Imported on demand, since it loads the database code, which most commands never need.
  const { explainFailure } = await import('../explain-failure.ts');
  return explainFailure(error);
}

/** Runs a command line and returns its exit status: 0 success, 1 failure, 2 incorrect usage. Failures are explained on standard error. */
export async function runProgram(given: readonly string[]): Promise<number> {
  try {
    const program = await createProgram(given[0]);
    await program.parseAsync(given, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error. Asking for help is not a failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    process.stderr.write(`${await sentenceFor(error)}\n`);
    return error instanceof CommandError ? error.exitCode : 1;
  }
}
