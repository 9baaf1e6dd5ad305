import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { connectOperator } from '../operator-client.ts';
import { print } from '../output.ts';

export function addKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .argument('<id>', 'id of the key')
    .description('revoke an API key at once')
    .action(async (id: string) => {
      const client = await connectOperator(readSettings());
      await client.send({ method: 'DELETE', path: `/operator/v1/keys/${encodeURIComponent(id)}` });
      print(`Revoked ${id}`);
    });
}
