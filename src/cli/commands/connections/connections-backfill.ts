import type { Command } from 'commander';
import { postilCommand } from '../../../lib/own-files.ts';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, pathOf } from '../../connections/connection.ts';
import { readConnection, waitForBackfill } from '../../connections/wait-for-connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { parseMoment } from '../../option-values.ts';
import { print } from '../../output.ts';

export function addConnectionsBackfill(connections: Command): void {
  connections
    .command('backfill')
    .argument('<id>', 'id of the connection')
    .description('read pull requests merged or closed since a date, with the review comments of bots')
    .requiredOption(
      '--since <day>',
      'a date such as 2026-01-01, or a number of days ago such as 90d',
      parseMoment('ago'),
    )
    .option('--wait', 'wait until all have been read')
    .addHelpText(
      'after',
      examples(
        'postil connections backfill 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --since 90d --wait',
        'postil connections backfill 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --since 2026-01-01',
      ),
    )
    .action(async (id: string, { since, wait }: { since: string; wait?: boolean }) => {
      const client = await connectOperator(readSettings());
      const before = await readConnection(client, id);
      const json = { since: since.slice(0, 10) };
      await client.send({
        method: 'POST',
        path: pathOf(id, 'backfill'),
        json,
        optionNames: connectionOptionNames,
      });
      if (!wait)
        return print(
          `The backfill is scheduled; "${postilCommand} connections show ${id}" shows its progress`,
        );
      const { backfill } = await waitForBackfill(client, before);
      print(`Read ${backfill.done} pull requests merged or closed since ${backfill.since}`);
    });
}
