import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { type ConnectionView, connectionsPath, formatMoment } from '../../connections/connection.ts';
import { connectOperator, readPages } from '../../operator-client.ts';
import { print, table } from '../../output.ts';

function rowOf({ id, provider, url, account, status, organizations, health }: ConnectionView): string[] {
  const counts = [organizations.length, health.waiting].map(String);
  return [id, provider, url, account.username, status, ...counts, formatMoment(health.last_read_at)];
}

export function addConnectionsList(connections: Command): void {
  connections
    .command('list')
    .description('list the connections with their health, newest first')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil connections list', 'postil connections list --json'))
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const list = await Array.fromAsync(readPages<ConnectionView>(client, connectionsPath));
      if (json) return print(JSON.stringify(list, null, 2));
      const headings = ['ID', 'PROVIDER', 'URL', 'ACCOUNT', 'STATUS', 'ORGS', 'WAITING', 'LAST READ'];
      print(table(headings, list.map(rowOf)));
    });
}
