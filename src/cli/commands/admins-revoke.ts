import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, printNote } from '../output.ts';

export function addAdminsRevoke(admins: Command): void {
  admins
    .command('revoke')
    .argument('<email>', 'email address of the admin')
    .description("revoke a person's admin rights over the installation; their other roles stay")
    .option('--allow-none', 'revoke even the last admin')
    .addHelpText('after', examples('postil admins revoke ann@acme.test'))
    .action(async (email: string, { allowNone }: { allowNone?: boolean }) => {
      const client = await connectOperator(readSettings());
      const query = allowNone ? '?allow_none=true' : '';
      const path = `/operator/v1/installation-admins/${encodeURIComponent(email)}${query}`;
      await client.send({
        method: 'DELETE',
        path,
        optionNames: { email: 'email', allow_none: '--allow-none' },
      });
      print(`${email} is no longer an admin of the installation`);
      if (allowNone)
        printNote('If no admin is left, the server prints a link for a first admin the next time it starts.');
    });
}
