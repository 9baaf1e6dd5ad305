import { type Command, Option } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { type DeliveryView, deliveryStatuses, formatMoment, pathOf } from '../../connections/connection.ts';
import { readConnection } from '../../connections/wait-for-connection.ts';
import { connectOperator, readPages } from '../../operator-client.ts';
import { parseCount } from '../../option-values.ts';
import { print, table } from '../../output.ts';

interface Options {
  readonly status?: string;
  readonly limit: number;
  readonly json?: boolean;
}

function rowOf({ id, received_at, event, status, attempts, error }: DeliveryView): string[] {
  return [id, formatMoment(received_at), event, status, String(attempts), error ?? ''];
}

export function addConnectionsDeliveries(connections: Command): void {
  connections
    .command('deliveries')
    .argument('<id>', 'id of the connection')
    .description('list the deliveries of the host, newest first')
    .addOption(new Option('--status <status>', 'only deliveries in this state').choices(deliveryStatuses))
    .option('--limit <count>', 'maximum number of deliveries', parseCount(1, 100_000), 50)
    .option('--json', 'print as JSON')
    .addHelpText(
      'after',
      examples('postil connections deliveries 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071 --status failed'),
    )
    .action(async (id: string, { status, limit, json }: Options) => {
      const client = await connectOperator(readSettings());
      await readConnection(client, id); // reports an invalid id in terms of the command's options
      const query = status === undefined ? '' : `?status=${status}`;
      const pages = readPages<DeliveryView>(client, `${pathOf(id, 'deliveries')}${query}`);
      const list: DeliveryView[] = [];
      for await (const delivery of pages) {
        list.push(delivery);
        if (list.length === limit) break;
      }
      if (json) return print(JSON.stringify(list, null, 2));
      print(table(['ID', 'RECEIVED', 'EVENT', 'STATUS', 'ATTEMPTS', 'ERROR'], list.map(rowOf)));
    });
}
