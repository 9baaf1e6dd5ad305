import type { Command } from 'commander';
import { CommandError, usageExitCode } from '../command-error.ts';
import { openInput, readInputText } from '../input-file.ts';
import { printNote } from '../output.ts';

/** The sources of a command's secrets: never the command line, which every user of the machine can see. */
export interface SecretOptions {
  readonly tokenFile?: string;
  readonly tokenStdin?: boolean;
  readonly appId?: string;
  readonly privateKeyFile?: string;
  readonly privateKeyStdin?: boolean;
  readonly installationId?: string;
  readonly webhookSecretFile?: string;
  readonly webhookSecretStdin?: boolean;
}

const secrets = { token: 'token', privateKey: 'private-key', webhookSecret: 'webhook-secret' } as const;
type SecretName = keyof typeof secrets;
const names = Object.keys(secrets) as SecretName[];

/** Adds the options for the credentials of an account or app, and for a webhook secret. */
export function withSecretOptions(command: Command): Command {
  return command
    .option('--token-file <file>', "file with the account's access token")
    .option('--token-stdin', 'read the access token from standard input')
    .option('--app-id <id>', 'use a GitHub App instead of a token')
    .option('--private-key-file <file>', "file with the App's private key (PEM)")
    .option('--private-key-stdin', "read the App's private key from standard input")
    .option('--installation-id <id>', 'only this installation of the App')
    .option('--webhook-secret-file <file>', 'file with a webhook secret of your own')
    .option('--webhook-secret-stdin', 'read the webhook secret from standard input');
}

function usageError(message: string): CommandError {
  return new CommandError(message, usageExitCode);
}

const isGiven = (options: SecretOptions, name: SecretName) =>
  options[`${name}File`] !== undefined || options[`${name}Stdin`] === true;

/** Rejects contradictory options before anything is read. */
export function checkSecretOptions(options: SecretOptions): void {
  for (const name of names)
    if (options[`${name}File`] !== undefined && options[`${name}Stdin`])
      throw usageError(`Use either --${secrets[name]}-file or --${secrets[name]}-stdin`);
  const fromInput = names.filter((name) => options[`${name}Stdin`]);
  if (fromInput.length > 1)
    throw usageError(
      `Only one secret can come from standard input, not ${fromInput.map((name) => `--${secrets[name]}-stdin`).join(' and ')}`,
    );
  const isApp = options.appId !== undefined;
  if (isApp && isGiven(options, 'token')) throw usageError('Use either a token or --app-id');
  if (isApp !== isGiven(options, 'privateKey'))
    throw usageError('A GitHub App needs both --app-id and --private-key-file');
  if (options.installationId !== undefined && !isApp) throw usageError('--installation-id needs --app-id');
}

async function readSecret(options: SecretOptions, name: SecretName): Promise<string | undefined> {
  if (!isGiven(options, name)) return undefined;
  const file = options[`${name}File`] ?? '-';
  if (file === '-' && process.stdin.isTTY)
    printNote(`Paste the ${secrets[name].replace('-', ' ')}, then Enter and Ctrl-D:`);
  const input = await openInput(file);
  const text = (await readInputText(input, 1)).trim();
  if (text === '')
    throw usageError(`${input.name} is empty: it must contain the ${secrets[name].replace('-', ' ')}`);
  return text;
}

/** Reads the credentials for the request; undefined if no option names any. */
export async function readCredentials(options: SecretOptions): Promise<Record<string, string> | undefined> {
  const token = await readSecret(options, 'token');
  if (token !== undefined) return { token };
  const key = await readSecret(options, 'privateKey');
  if (key === undefined) return undefined;
  const installation = options.installationId;
  return {
    app_id: options.appId!,
    private_key: `${key}\n`,
    ...(installation !== undefined && { installation_id: installation }),
  };
}

/** Reads the webhook secret; undefined if no option names one. */
export async function readWebhookSecret(options: SecretOptions): Promise<string | undefined> {
  return readSecret(options, 'webhookSecret');
}
