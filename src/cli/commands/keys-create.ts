import { type Command, Option } from 'commander';
import { type KeyKind, keyKinds } from '../../access/api-key-value.ts';
import { providers } from '../../lib/ids.ts';
import { readSettings } from '../../settings.ts';
import { CommandError, usageExitCode } from '../command-error.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { parseList, parseMoment, providerOption } from '../option-values.ts';
import { print, printNote } from '../output.ts';

interface Options {
  kind: KeyKind;
  name: string;
  provider?: string;
  org?: string;
  instance?: string;
  workspace?: string;
  owner?: string;
  expires?: string;
  orgs?: string[];
  home?: string;
  json?: boolean;
}

type BindingOption = Exclude<keyof Options, 'kind' | 'name' | 'json'>;

const fieldOfOption: Record<BindingOption, string> = {
  provider: 'provider',
  org: 'org_id',
  instance: 'instance',
  workspace: 'workspace',
  owner: 'owner',
  expires: 'expires_at',
  orgs: 'org_ids',
  home: 'home_org_id',
};
const bindingOptions = Object.keys(fieldOfOption) as BindingOption[];
const optionOfField = Object.fromEntries([
  ['kind', '--kind'],
  ['name', '--name'],
  ...bindingOptions.map((option) => [fieldOfOption[option], `--${option}`]),
]);

interface KindRule {
  readonly needs: readonly BindingOption[];
  readonly allows: readonly BindingOption[];
}

const memberKey: KindRule = { needs: ['org', 'owner'], allows: ['provider', 'instance', 'expires'] };
const kindRules: Record<KeyKind, KindRule> = {
  organization: memberKey,
  user: memberKey,
  agentic: memberKey,
  workspace: { needs: ['workspace', 'owner', 'expires'], allows: [] },
  instance: { needs: ['instance', 'owner'], allows: ['orgs', 'home', 'expires'] },
  legacy: { needs: ['org'], allows: ['provider', 'instance', 'expires'] },
};

const listOptions = (names: readonly BindingOption[]) => names.map((name) => `--${name}`).join(', ');

function checkOptions(options: Options): void {
  const { needs, allows } = kindRules[options.kind];
  const missing = needs.filter((name) => options[name] === undefined);
  const unexpected = bindingOptions.filter(
    (name) => options[name] !== undefined && !needs.includes(name) && !allows.includes(name),
  );
  const problems = [
    ...(missing.length > 0 ? [`needs ${listOptions(missing)}`] : []),
    ...(unexpected.length > 0 ? [`does not take ${listOptions(unexpected)}`] : []),
  ];
  if (problems.length > 0)
    throw new CommandError(`A key of kind ${options.kind} ${problems.join(' and ')}`, usageExitCode);
}

function buildRequest(options: Options): Record<string, unknown> {
  const binding = bindingOptions
    .filter((name) => options[name] !== undefined)
    .map((name) => [fieldOfOption[name], options[name]]);
  return { kind: options.kind, name: options.name, ...Object.fromEntries(binding) };
}

const kindHelp = `
Required by each kind besides --kind and --name (optional in parentheses):
${keyKinds.map((kind) => `  ${kind.padEnd(13)} ${listOptions(kindRules[kind].needs)}${kindRules[kind].allows.length > 0 ? ` (${listOptions(kindRules[kind].allows)})` : ''}`).join('\n')}
${examples(
  'postil keys create --kind organization --name reports --org acme --owner alice',
  'postil keys create --kind workspace --name finance --workspace acme --owner alice@acme.test --expires 90d',
  'KEY=$(postil keys create --kind user --name alice --provider github --org 1001 --owner 9001)',
)}`;

export function addKeysCreate(keys: Command): void {
  keys
    .command('create')
    .description('create an API key; its value is shown once')
    .addOption(new Option('--kind <kind>', 'the kind of key').choices(keyKinds).makeOptionMandatory())
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(providerOption('Git provider of the organization', providers))
    .option('--org <organization>', 'organization: its name, or its id at the Git provider')
    .option('--instance <slug>', 'self-hosted instance')
    .option('--workspace <slug>', 'workspace, for workspace tokens')
    .option(
      '--owner <owner>',
      'username, or user id at the Git provider; for workspace tokens, the email address of an admin',
    )
    .option(
      '--expires <when>',
      '1 to 366 days from now: a date, a date-time, or a number of days such as 90d',
      parseMoment('ahead'),
    )
    .option('--orgs <list>', 'limit an instance key to these organizations, separated by commas', parseList)
    .option('--home <organization>', 'home organization of an instance key')
    .option('--json', 'print the whole response as JSON')
    .addHelpText('after', kindHelp)
    .action(async (options: Options) => {
      checkOptions(options);
      const client = await connectOperator(readSettings());
      const created = (await client.send({
        method: 'POST',
        path: '/operator/v1/keys',
        json: buildRequest(options),
        optionNames: optionOfField,
      })) as Record<string, string>;
      if (options.json) return print(JSON.stringify(created, null, 2));
      printNote(`Key ${created.id} (${created.kind}) created. Its value is not shown again:`);
      print(created.value!);
    });
}
