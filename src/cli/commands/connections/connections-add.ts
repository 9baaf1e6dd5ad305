import { type Command, Option } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import {
  type CreatedConnection,
  connectionOptionNames,
  connectionsPath,
  hostProviders,
} from '../../connections/connection.ts';
import {
  checkSecretOptions,
  readCredentials,
  readWebhookSecret,
  type SecretOptions,
  withSecretOptions,
} from '../../connections/secret-options.ts';
import { readConnection, waitForSync } from '../../connections/wait-for-connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { parseCount, parseList, providerOption } from '../../option-values.ts';
import { print, printNote } from '../../output.ts';

interface Options extends SecretOptions {
  readonly provider: string;
  readonly url?: string;
  readonly instance?: string;
  readonly orgs?: string[];
  readonly review?: string;
  readonly plan?: string;
  readonly subscription?: string;
  readonly seats?: number;
  readonly seatMode?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

const withoutUndefined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function buildRequest(options: Options): Promise<Record<string, unknown>> {
  checkSecretOptions(options);
  const credentials = await readCredentials(options);
  if (credentials === undefined)
    throw new CommandError(
      'Use --token-file or --token-stdin, or --app-id and --private-key-file for a GitHub App',
      usageExitCode,
    );
  const { provider, url, instance, orgs, review, plan, subscription, seats, seatMode } = options;
  const defaults = withoutUndefined({
    plan,
    subscription,
    seats_purchased: seats,
    seat_assignment_mode: seatMode,
  });
  return withoutUndefined({
    provider,
    url,
    instance,
    credentials,
    organizations: orgs,
    webhook_secret: await readWebhookSecret(options),
    review,
    defaults: Object.keys(defaults).length === 0 ? undefined : defaults,
  });
}

function describe({ provider, url, account, organizations, webhook }: CreatedConnection): string {
  return [
    `Connected to ${provider} at ${url} as ${account.username}: ${organizations.join(', ') || 'no organization yet'}`,
    `Webhook URL:    ${webhook.url}`,
    `Webhook secret: ${webhook.secret}`,
    'The secret is not shown again. You need it only if Postil cannot register the webhook itself.',
  ].join('\n');
}

export function addConnectionsAdd(connections: Command): void {
  const command = connections
    .command('add')
    .description('connect an account on a Git host; prints the id of the connection')
    .addOption(providerOption('the kind of host; forgejo means gitea', hostProviders).makeOptionMandatory())
    .option('--url <url>', 'URL of the host; defaults to github.com or gitlab.com')
    .option('--orgs <names>', 'only these organizations or groups, separated by commas', parseList)
    .option('--instance <slug>', 'instance of the platform document; derived from the URL by default');
  withSecretOptions(command)
    .addOption(new Option('--review <when>', 'whether reviews are posted').choices(['on', 'off']))
    .addOption(
      new Option('--plan <plan>', 'plan of new organizations').choices(['free', 'pro', 'enterprise']),
    )
    .addOption(
      new Option('--subscription <state>', 'subscription of new organizations').choices(['active', 'none']),
    )
    .option('--seats <count>', 'seats of new organizations', parseCount(0, 10_000_000))
    .addOption(
      new Option('--seat-mode <mode>', 'how new organizations assign seats').choices(['automatic', 'manual']),
    )
    .option('--wait', 'wait until organizations, repositories and members have been read')
    .option('--json', 'print the whole response as JSON')
    .addHelpText(
      'after',
      examples(
        'postil connections add --provider github --token-file token.txt --orgs acme --wait',
        'postil connections add --provider forgejo --url https://git.acme.test --token-stdin < token.txt',
        'postil connections add --provider github --app-id 12345 --private-key-file app.pem',
        'ID=$(postil connections add --provider gitlab --token-file token.txt)',
      ),
    )
    .action(async (options: Options) => {
      const json = await buildRequest(options);
      const client = await connectOperator(readSettings());
      const request = {
        method: 'POST',
        path: connectionsPath,
        json,
        optionNames: connectionOptionNames,
      } as const;
      const created = (await client.send(request)) as CreatedConnection;
      if (options.json) print(JSON.stringify(created, null, 2));
      else {
        printNote(describe(created));
        print(created.id);
      }
      if (!options.wait) return;
      const before = await readConnection(client, created.id);
      const { webhook } = before.synced_at === null ? await waitForSync(client, before) : before;
      for (const { text } of webhook.instructions) printNote(text);
    });
}
