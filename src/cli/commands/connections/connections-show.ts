import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { type ConnectionView, formatMoment } from '../../connections/connection.ts';
import { readConnection } from '../../connections/wait-for-connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

function waitingOf({ waiting, oldest_waiting_at }: ConnectionView['health']): string {
  return waiting === 0
    ? 'nothing'
    : `${waiting} ${waiting === 1 ? 'delivery' : 'deliveries'}, the oldest since ${formatMoment(oldest_waiting_at)}`;
}

function backfillOf({ state, since, done, total }: ConnectionView['backfill']): string {
  return state === 'none' ? 'none' : `${state}, since ${since}: ${done} of ${total} pull requests`;
}

function linesOf(connection: ConnectionView): [string, string][] {
  const { health, webhook } = connection;
  return [
    ['Id', connection.id],
    ['Host', `${connection.provider} at ${connection.url}`],
    ['Account', connection.account.username],
    ['Status', connection.status],
    ...(health.last_error === null
      ? []
      : [
          ['Last error', `${health.last_error.message} (${formatMoment(health.last_error.at)})`] as [
            string,
            string,
          ],
        ]),
    ['Organizations', connection.organizations.join(', ') || 'all that the account can see'],
    ['Instance', connection.instance ?? 'none (public cloud)'],
    ['Review', connection.review],
    ['Created', formatMoment(connection.created_at)],
    ['Webhook', webhook.url],
    ['Last delivery', formatMoment(health.last_delivery_at)],
    ['Last read', formatMoment(health.last_read_at)],
    ['Last sync', formatMoment(connection.synced_at)],
    ['Waiting', waitingOf(health)],
    ['Backfill', backfillOf(connection.backfill)],
    ...webhook.instructions.map(({ text }): [string, string] => ['To do', text]),
  ];
}

export function addConnectionsShow(connections: Command): void {
  connections
    .command('show')
    .argument('<id>', 'id of the connection, as shown by "postil connections list"')
    .description('show a connection, its health, and what remains to be done at the host')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil connections show 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string, { json }: { json?: boolean }) => {
      const connection = await readConnection(await connectOperator(readSettings()), id);
      if (json) return print(JSON.stringify(connection, null, 2));
      for (const [label, text] of linesOf(connection)) print(`${`${label}:`.padEnd(15)} ${text}`);
    });
}
