import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, pathOf } from '../../connections/connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

async function setStatus(id: string, status: 'paused' | 'ready'): Promise<void> {
  const client = await connectOperator(readSettings());
  await client.send({
    method: 'PATCH',
    path: pathOf(id),
    json: { status },
    optionNames: connectionOptionNames,
  });
}

export function addConnectionsPause(connections: Command): void {
  connections
    .command('pause')
    .argument('<id>', 'id of the connection')
    .description('stop sending requests to the host; its deliveries are kept until resumed')
    .addHelpText('after', examples('postil connections pause 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string) => {
      await setStatus(id, 'paused');
      print(`Paused ${id}`);
    });
  connections
    .command('resume')
    .argument('<id>', 'id of the connection')
    .description('process the deliveries received meanwhile, and send requests to the host again')
    .addHelpText('after', examples('postil connections resume 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string) => {
      await setStatus(id, 'ready');
      print(`Resumed ${id}`);
    });
}
