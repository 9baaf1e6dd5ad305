import { readFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import type { Command } from 'commander';
import { parse } from 'yaml';
import { readSettings } from '../../settings.ts';
import { CommandError } from '../command-error.ts';
import { connectOperator } from '../operator-client.ts';
import { print, table } from '../output.ts';

type Tallies = Record<string, { created: number; updated: number; unchanged: number }>;

async function readDocument(file: string): Promise<unknown> {
  const content =
    file === '-'
      ? await readText(process.stdin)
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw new CommandError(`${file} cannot be read (${error.code})`);
        });
  try {
    return parse(content, { prettyErrors: true });
  } catch (error) {
    throw new CommandError(`${file} is neither YAML nor JSON: ${(error as Error).message}`);
  }
}

export function addApply(program: Command): void {
  program
    .command('apply')
    .argument('<file>', 'the platform document, YAML or JSON; - for standard input')
    .description('make the platform agree with a document: whole, or not at all')
    .action(async (file: string) => {
      const client = await connectOperator(readSettings());
      const tallies = (await client.send({
        method: 'PUT',
        path: '/operator/v1/platform',
        json: await readDocument(file),
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
