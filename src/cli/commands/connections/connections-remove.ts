import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, pathOf } from '../../connections/connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

export function addConnectionsRemove(connections: Command): void {
  connections
    .command('remove')
    .argument('<id>', 'id of the connection')
    .description(
      'remove a connection, its credentials, and its webhook at the host; data that was read stays',
    )
    .addHelpText('after', examples('postil connections remove 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string) => {
      const client = await connectOperator(readSettings());
      await client.send({ method: 'DELETE', path: pathOf(id), optionNames: connectionOptionNames });
      print(`Removed ${id}`);
    });
}
