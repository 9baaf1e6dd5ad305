import type { Command } from 'commander';
import { stringify } from 'yaml';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print } from '../output.ts';

export function addExport(program: Command): void {
  program
    .command('export')
    .description('print the platform as a document, without secrets')
    .option('--json', 'print JSON instead of YAML')
    .addHelpText('after', examples('postil export > platform.yaml', 'postil export --json'))
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const document = await client.send({ method: 'GET', path: '/operator/v1/platform' });
      print(json ? JSON.stringify(document, null, 2) : stringify(document).trimEnd());
    });
}
