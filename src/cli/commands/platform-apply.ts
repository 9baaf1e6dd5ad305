import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, table } from '../output.ts';
import { readPlatformFile } from '../platform-file.ts';

type Tallies = Record<string, { created: number; updated: number; unchanged: number }>;

export function addApply(program: Command): void {
  program
    .command('apply')
    .argument('<file>', 'the platform document, YAML or JSON, or - for standard input')
    .description('make the platform match a document, completely or not at all')
    .addHelpText(
      'after',
      `
Whatever the document names is created or updated; everything else stays. At most 64 MiB of JSON or 16 MiB of YAML.
${examples('postil apply platform.yaml', 'postil apply docs/examples/platform.yaml')}`,
    )
    .action(async (file: string) => {
      const document = await readPlatformFile(file);
      const client = await connectOperator(readSettings());
      const tallies = (await client.send({
        method: 'PUT',
        path: '/operator/v1/platform',
        json: document,
      })) as Tallies;
      const rows = Object.entries(tallies).map(([kind, { created, updated, unchanged }]) => [
        kind,
        `${created}`,
        `${updated}`,
        `${unchanged}`,
      ]);
      print(table(['', 'created', 'updated', 'unchanged'], rows));
    });
}
