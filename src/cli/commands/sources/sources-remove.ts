import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { examples } from '../../command-examples.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

export function addSourcesRemove(sources: Command): void {
  sources
    .command('remove')
    .argument('<id>', 'id of the event source, as "postil sources list" shows it')
    .description('remove an event source immediately; events it reported stay')
    .addHelpText('after', examples('postil sources remove 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string) => {
      const client = await connectOperator(readSettings());
      const path = `/operator/v1/sources/${encodeURIComponent(id)}`;
      await client.send({ method: 'DELETE', path, optionNames: { id: 'id' } });
      print(`Removed ${id}`);
    });
}
