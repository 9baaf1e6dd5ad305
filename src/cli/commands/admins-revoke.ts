import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, remark } from '../output.ts';

export function addAdminsRevoke(admins: Command): void {
  admins
    .command('revoke')
    .argument('<email>', 'who is no longer to be an admin of the installation')
    .description('take back that a person is an admin of the installation; their other roles stay')
    .option('--allow-none', 'also if that is the last admin')
    .addHelpText('after', examples('postil admins revoke ann@acme.test'))
    .action(async (email: string, { allowNone }: { allowNone?: boolean }) => {
      const client = await connectOperator(readSettings());
      const query = allowNone ? '?allow_none=true' : '';
      const path = `/operator/v1/installation-admins/${encodeURIComponent(email)}${query}`;
      await client.send({ method: 'DELETE', path, named: { email: 'email', allow_none: '--allow-none' } });
      print(`${email} is no longer an admin of the installation`);
      if (allowNone) remark('If none is left, the next start of the server prints a link for a first admin.');
    });
}
