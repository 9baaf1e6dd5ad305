import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError, usageExitCode } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, type DeliveryView, pathOf } from '../../connections/connection.ts';
import { readConnection } from '../../connections/wait-for-connection.ts';
import { connectOperator, type OperatorClient, readPages } from '../../operator-client.ts';
import { print, startProgress } from '../../output.ts';

async function replay(client: OperatorClient, id: string, delivery: string): Promise<void> {
  const path = pathOf(id, 'deliveries', delivery, 'replay');
  await client.send({ method: 'POST', path, optionNames: connectionOptionNames });
}

async function replayFailed(client: OperatorClient, id: string): Promise<number> {
  await readConnection(client, id); // reports an invalid id in terms of the command's options
  const path = `${pathOf(id, 'deliveries')}?status=failed`;
  const failed = await Array.fromAsync(readPages<DeliveryView>(client, path));
  const progress = startProgress('Replaying');
  try {
    for (const [index, delivery] of failed.entries()) {
      await replay(client, id, delivery.id);
      progress.update(index + 1, failed.length);
    }
  } finally {
    progress.end();
  }
  return failed.length;
}

export function addConnectionsReplay(connections: Command): void {
  connections
    .command('replay')
    .argument('<id>', 'id of the connection')
    .argument('[delivery]', 'id of the delivery, as shown by "postil connections deliveries"')
    .description('process a delivery again')
    .option('--failed', 'all deliveries that failed')
    .addHelpText(
      'after',
      examples(
        'postil connections replay 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --failed',
        'postil connections replay 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 019a8b20-1a2b-7c00-9d3e-4f5061728394',
      ),
    )
    .action(async (id: string, delivery: string | undefined, { failed }: { failed?: boolean }) => {
      if ((delivery === undefined) !== (failed === true))
        throw new CommandError('Give either a delivery or --failed', usageExitCode);
      const client = await connectOperator(readSettings());
      if (delivery !== undefined) await replay(client, id, delivery);
      const count = delivery === undefined ? await replayFailed(client, id) : 1;
      print(
        count === 1 ? '1 delivery will be processed again' : `${count} deliveries will be processed again`,
      );
    });
}
