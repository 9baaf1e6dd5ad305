import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator, readPages } from '../operator-client.ts';
import { print, table } from '../output.ts';

interface Admin {
  readonly email: string;
  readonly has_password: boolean;
  readonly last_sign_in_at: string | null;
}

export function addAdminsList(admins: Command): void {
  admins
    .command('list')
    .description('list the admins of the installation')
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil admins list', 'postil admins list --json'))
    .action(async ({ json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const list = await Array.fromAsync(readPages<Admin>(client, '/operator/v1/installation-admins'));
      if (json) return print(JSON.stringify(list, null, 2));
      const rows = list.map(({ email, has_password, last_sign_in_at }) => [
        email,
        has_password ? 'yes' : 'no',
        last_sign_in_at ?? 'never',
      ]);
      print(table(['EMAIL', 'PASSWORD', 'LAST SIGN-IN'], rows));
    });
}
