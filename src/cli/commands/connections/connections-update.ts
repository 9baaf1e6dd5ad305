import { type Command, Option } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { type ConnectionView, connectionOptionNames, pathOf } from '../../connections/connection.ts';
import {
  checkSecretOptions,
  readCredentials,
  readWebhookSecret,
  type SecretOptions,
  withSecretOptions,
} from '../../connections/secret-options.ts';
import { connectOperator } from '../../operator-client.ts';
import { parseList } from '../../option-values.ts';
import { print } from '../../output.ts';

interface Options extends SecretOptions {
  readonly orgs?: string[];
  readonly allOrgs?: boolean;
  readonly review?: string;
  readonly json?: boolean;
}

async function buildChange(options: Options): Promise<Record<string, unknown>> {
  checkSecretOptions(options);
  const { orgs, allOrgs, review } = options;
  if (orgs !== undefined && allOrgs) throw new CommandError('Use either --orgs or --all-orgs', usageExitCode);
  const credentials = await readCredentials(options);
  const webhookSecret = await readWebhookSecret(options);
  const change = {
    ...(credentials !== undefined && { credentials }),
    ...(webhookSecret !== undefined && { webhook_secret: webhookSecret }),
    ...(orgs !== undefined && { organizations: orgs }),
    ...(allOrgs && { organizations: null }),
    ...(review !== undefined && { review }),
  };
  if (Object.keys(change).length === 0)
    throw new CommandError('Nothing to change: use at least one option', usageExitCode);
  return change;
}

export function addConnectionsUpdate(connections: Command): void {
  const command = connections
    .command('update')
    .argument('<id>', 'id of the connection')
    .description('change the credentials, webhook secret, organizations or reviews of a connection')
    .option('--orgs <names>', 'only these organizations or groups, separated by commas', parseList)
    .option('--all-orgs', 'all organizations that the account can see')
    .addOption(new Option('--review <when>', 'whether reviews are posted').choices(['on', 'off']));
  withSecretOptions(command)
    .option('--json', 'print the connection as JSON')
    .addHelpText(
      'after',
      examples(
        'postil connections update 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --token-file token.txt',
        'postil connections update 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --orgs acme,acme-labs',
      ),
    )
    .action(async (id: string, options: Options) => {
      const json = await buildChange(options);
      const client = await connectOperator(readSettings());
      const request = {
        method: 'PATCH',
        path: pathOf(id),
        json,
        optionNames: connectionOptionNames,
      } as const;
      const changed = (await client.send(request)) as ConnectionView;
      print(options.json ? JSON.stringify(changed, null, 2) : `Changed ${changed.id}`);
    });
}
