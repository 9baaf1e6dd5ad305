import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, printNote } from '../output.ts';

export function addInvite(program: Command): void {
  program
    .command('invite <email>')
    .description('create a one-time link for a person to set their dashboard password')
    .option('--admin', 'make them an admin of the installation, who sees every organization')
    .addHelpText('after', examples('postil invite ann@acme.test', 'postil invite --admin ann@acme.test'))
    .action(async (email: string, options: { admin?: boolean }) => {
      const client = await connectOperator(readSettings());
      const invitation = (await client.send({
        method: 'POST',
        path: '/operator/v1/dashboard-invitations',
        json: { email, installation_admin: options.admin === true },
        optionNames: { email: 'email' },
      })) as { url: string; expires_at: string };
      printNote(`Send this link to ${email}. It works once, until ${invitation.expires_at}:`);
      print(invitation.url);
    });
}
