import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, pathOf } from '../../connections/connection.ts';
import { readConnection, waitForSync } from '../../connections/wait-for-connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

export function addConnectionsSync(connections: Command): void {
  connections
    .command('sync')
    .argument('<id>', 'id of the connection')
    .description('read organizations, repositories and members again')
    .option('--wait', 'wait until it is done')
    .addHelpText('after', examples('postil connections sync 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --wait'))
    .action(async (id: string, { wait }: { wait?: boolean }) => {
      const client = await connectOperator(readSettings());
      const before = await readConnection(client, id);
      await client.send({ method: 'POST', path: pathOf(id, 'sync'), optionNames: connectionOptionNames });
      if (!wait) return print('The sync is scheduled');
      const { organizations } = await waitForSync(client, before);
      print(`Synced ${organizations.join(', ') || 'no organizations'}`);
    });
}
