import type { Command } from 'commander';
import type { z } from 'zod';
import type { createdSource } from '../../../capabilities/event-sources/schemas.ts';
import { providers } from '../../../lib/ids.ts';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectOperator } from '../../operator-client.ts';
import { parseList, providerOption } from '../../option-values.ts';
import { print, printNote } from '../../output.ts';

interface Options {
  readonly name: string;
  readonly provider: string;
  readonly orgs: string[];
  readonly instance?: string;
  readonly types: string[];
  readonly json?: boolean;
}

const optionNames = { name: '--name', organizations: '--orgs', types: '--types' };

export function addSourcesAdd(sources: Command): void {
  sources
    .command('add')
    .description('add an event source; its value is shown only once')
    .requiredOption('--name <name>', 'what the source is for')
    .addOption(providerOption('Git provider of the organizations', providers).makeOptionMandatory())
    .requiredOption('--orgs <ids>', 'organization ids at the Git provider, separated by commas', parseList)
    .option('--instance <slug>', 'self-hosted instance of the organizations')
    .requiredOption('--types <types>', 'types of events, separated by commas', parseList)
    .option('--json', 'print the whole response as JSON')
    .addHelpText(
      'after',
      examples(
        'postil sources add --name ci --provider github --orgs 1001 --types postil.security_scan',
        'VALUE=$(postil sources add --name ci --provider gitlab --orgs 7,8 --instance acme --types postil.security_scan)',
      ),
    )
    .action(async ({ name, provider, orgs, instance, types, json }: Options) => {
      const client = await connectOperator(readSettings());
      const organizations = orgs.map((org_id) => ({ provider, org_id, ...(instance && { instance }) }));
      const source = (await client.send({
        method: 'POST',
        path: '/operator/v1/sources',
        json: { name, organizations, types },
        optionNames,
      })) as z.output<typeof createdSource>;
      if (json) return print(JSON.stringify(source, null, 2));
      printNote(`Event source ${source.id} added. The value is not shown again:`);
      print(source.value);
    });
}
