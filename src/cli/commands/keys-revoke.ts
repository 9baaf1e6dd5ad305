import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print } from '../output.ts';

export function addKeysRevoke(keys: Command): void {
  keys
    .command('revoke')
    .argument('<id>', 'id of the key, as shown by "postil keys list"')
    .description('revoke an API key immediately')
    .addHelpText('after', examples('postil keys revoke 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string) => {
      const client = await connectOperator(readSettings());
      const path = `/operator/v1/keys/${encodeURIComponent(id)}`;
      await client.send({ method: 'DELETE', path, optionNames: { id: 'id' } });
      print(`Revoked ${id}`);
    });
}
