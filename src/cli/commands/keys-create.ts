import { type Command, Option } from 'commander';
import { type KeyKind, keyKinds } from '../../access/api-key-value.ts';
import { providers } from '../../lib/ids.ts';
import { readSettings } from '../../settings.ts';
import { CommandError, calledWrongly } from '../command-error.ts';
import { examples } from '../examples.ts';
import { connectOperator } from '../operator-client.ts';
import { readList, readMoment } from '../option-values.ts';
import { print, remark } from '../output.ts';

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
  readonly mayHave: readonly BindingOption[];
}

const ofMember: KindRule = { needs: ['provider', 'org', 'owner'], mayHave: ['instance', 'expires'] };
const rules: Record<KeyKind, KindRule> = {
  organization: ofMember,
  user: ofMember,
  agentic: ofMember,
  workspace: { needs: ['workspace', 'owner', 'expires'], mayHave: [] },
  instance: { needs: ['instance', 'owner'], mayHave: ['orgs', 'home', 'expires'] },
  legacy: { needs: ['provider', 'org'], mayHave: ['instance', 'expires'] },
};

const inOptions = (names: readonly BindingOption[]) => names.map((name) => `--${name}`).join(', ');

function checkOptions(options: Options): void {
  const { needs, mayHave } = rules[options.kind];
  const missing = needs.filter((name) => options[name] === undefined);
  const foreign = bindingOptions.filter(
    (name) => options[name] !== undefined && !needs.includes(name) && !mayHave.includes(name),
  );
  const faults = [
    ...(missing.length > 0 ? [`needs ${inOptions(missing)}`] : []),
    ...(foreign.length > 0 ? [`cannot have ${inOptions(foreign)}`] : []),
  ];
  if (faults.length > 0)
    throw new CommandError(`A key of kind ${options.kind} ${faults.join(' and ')}`, calledWrongly);
}

function requestOf(options: Options): Record<string, unknown> {
  const binding = bindingOptions
    .filter((name) => options[name] !== undefined)
    .map((name) => [fieldOfOption[name], options[name]]);
  return { kind: options.kind, name: options.name, ...Object.fromEntries(binding) };
}

const kindHelp = `
What each kind needs besides --kind and --name (and may have):
${keyKinds.map((kind) => `  ${kind.padEnd(13)} ${inOptions(rules[kind].needs)}${rules[kind].mayHave.length > 0 ? ` (${inOptions(rules[kind].mayHave)})` : ''}`).join('\n')}
${examples(
  'postil keys create --kind organization --name reports --provider github --org 1001 --owner 9001',
  'postil keys create --kind workspace --name finance --workspace acme --owner alice@acme.test --expires 90d',
  'KEY=$(postil keys create --kind user --name alice --provider github --org 1001 --owner 9001)',
)}`;

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
    .option(
      '--expires <when>',
      'from 1 to 366 days ahead: a date, a date-time, or days such as 90d',
      readMoment('ahead'),
    )
    .option('--orgs <ids>', 'limit an instance key to these organizations, separated by commas', readList)
    .option('--home <id>', 'home organization of an instance key')
    .option('--json', 'print the whole answer as JSON')
    .addHelpText('after', kindHelp)
    .action(async (options: Options) => {
      checkOptions(options);
      const client = await connectOperator(readSettings());
      const created = (await client.send({
        method: 'POST',
        path: '/operator/v1/keys',
        json: requestOf(options),
        named: optionOfField,
      })) as Record<string, string>;
      if (options.json) return print(JSON.stringify(created, null, 2));
      remark(`Key ${created.id} (${created.kind}) created. The value is not shown again:`);
      print(created.value!);
    });
}
