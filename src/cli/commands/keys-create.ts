import { type Command, Option } from 'commander';
import { keyKinds } from '../../access/api-key-value.ts';
import { providers } from '../../lib/ids.ts';
import { readSettings } from '../../settings.ts';
import { connectOperator } from '../operator-client.ts';
import { print, remark } from '../output.ts';

interface Options {
  kind: string;
  name: string;
  provider?: string;
  org?: string;
  instance?: string;
  workspace?: string;
  owner?: string;
  expires?: string;
  orgs?: string;
  home?: string;
  json?: boolean;
}

function requestOf(options: Options) {
  return {
    kind: options.kind,
    name: options.name,
    ...(options.provider !== undefined && { provider: options.provider }),
    ...(options.org !== undefined && { org_id: options.org }),
    ...(options.instance !== undefined && { instance: options.instance }),
    ...(options.workspace !== undefined && { workspace: options.workspace }),
    ...(options.owner !== undefined && { owner: options.owner }),
    ...(options.expires !== undefined && {
      expires_at: options.expires.includes('T') ? options.expires : `${options.expires}T00:00:00Z`,
    }),
    ...(options.orgs !== undefined && { org_ids: options.orgs.split(',').map((id) => id.trim()) }),
    ...(options.home !== undefined && { home_org_id: options.home }),
  };
}

// The server checks them; this is what --help says of them.
const optionsByKind = `
What each kind needs besides --kind and --name (and may have):
  organization, user, agentic  --provider --org --owner     (--instance, --expires)
  workspace                    --workspace --owner --expires
  instance                     --instance --owner            (--orgs, --home, --expires)
  legacy                       --provider --org              (--instance, --expires)

Examples:
  postil keys create --kind organization --name reports --provider github --org 1001 --owner 1
  postil keys create --kind workspace --name finance --workspace acme --owner ann@acme.test --expires 2027-06-30`;

export function addKeysCreate(keys: Command): void {
  keys
    .command('create')
    .description('create an API key; its value is shown once')
    .addOption(new Option('--kind <kind>', 'the kind of key').choices(keyKinds).makeOptionMandatory())
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(new Option('--provider <provider>', 'Git provider of the organization').choices(providers))
    .option('--org <id>', 'organization id at the Git provider')
    .option('--instance <slug>', 'self-hosted instance')
    .option('--workspace <slug>', 'workspace, for workspace tokens')
    .option('--owner <owner>', 'provider user id; for workspace tokens the email of an admin')
    .option('--expires <date>', 'date or date-time, 1 to 366 days ahead; required for workspace tokens')
    .option('--orgs <ids>', 'limit an instance key to these organizations, separated by commas')
    .option('--home <id>', 'home organization of an instance key')
    .option('--json', 'print the whole answer as JSON')
    .addHelpText('after', optionsByKind)
    .action(async (options: Options) => {
      const client = await connectOperator(readSettings());
      const created = (await client.send({
        method: 'POST',
        path: '/operator/v1/keys',
        json: requestOf(options),
      })) as Record<string, string>;
      if (options.json) return print(JSON.stringify(created, null, 2));
      remark(`Key ${created.id} (${created.kind}) created. The value is not shown again:`);
      print(created.value!);
    });
}
