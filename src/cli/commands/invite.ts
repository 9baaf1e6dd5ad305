import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { examples } from '../examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, remark } from '../output.ts';

export function addInvite(program: Command): void {
  program
    .command('invite <email>')
    .description('make a one-time link with which a person sets their password for the dashboard')
    .option('--admin', 'make them an admin of the installation, who sees every organization')
    .addHelpText('after', examples('postil invite ann@acme.test', 'postil invite --admin ann@acme.test'))
    .action(async (email: string, options: { admin?: boolean }) => {
      const client = await connectOperator(readSettings());
      const invitation = (await client.send({
        method: 'POST',
        path: '/operator/v1/dashboard-invitations',
        json: { email, installation_admin: options.admin === true },
        named: { email: 'email' },
      })) as { url: string; expires_at: string };
      remark(`Send this link to ${email}. It works once, until ${invitation.expires_at}:`);
      print(invitation.url);
    });
}
