import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator, readPages } from '../operator-client.ts';
import { print, table } from '../output.ts';

type Key = Record<'id' | 'kind' | 'name', string> &
  Record<
    'workspace' | 'instance' | 'org_id' | 'owner' | 'expires_at' | 'revoked_at' | 'last_used_at',
    string | null
  >;

function stateOf(key: Key): string {
  if (key.revoked_at !== null) return 'revoked';
  return key.expires_at === null ? 'no expiry' : `until ${key.expires_at.slice(0, 10)}`;
}

export function addKeysList(keys: Command): void {
  keys
    .command('list')
    .description('list the API keys, without their values')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil keys list', 'postil keys list --json'))
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const list = await Array.fromAsync(readPages<Key>(client, '/operator/v1/keys', 'keys'));
      if (json) return print(JSON.stringify(list, null, 2));
      const rows = list.map((key) => [
        key.id,
        key.kind,
        key.name,
        key.workspace ?? key.org_id ?? key.instance ?? '',
        key.owner ?? '',
        stateOf(key),
        key.last_used_at ?? 'never',
      ]);
      print(table(['ID', 'KIND', 'NAME', 'FOR', 'OWNER', 'STATE', 'LAST USED'], rows));
    });
}
