import type { Command } from 'commander';
import type { z } from 'zod';
import type { sourceView } from '../../../capabilities/event-sources/schemas.ts';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectOperator, readPages } from '../../operator-client.ts';
import { print, table } from '../../output.ts';

type SourceView = z.output<typeof sourceView>;

function rowOf({ id, name, organizations, types, last_used_at }: SourceView): string[] {
  const orgs = organizations.map(({ provider, org_id, instance }) => `${instance ?? provider}/${org_id}`);
  return [id, name, orgs.join(', '), types.join(', '), last_used_at ?? 'never used'];
}

export function addSourcesList(sources: Command): void {
  sources
    .command('list')
    .description('list the event sources without their values, newest first')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil sources list', 'postil sources list --json'))
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const list = await Array.fromAsync(readPages<SourceView>(client, '/operator/v1/sources'));
      if (json) return print(JSON.stringify(list, null, 2));
      print(table(['ID', 'NAME', 'FOR', 'TYPES', 'LAST USE'], list.map(rowOf)));
    });
}
