import type { Command } from 'commander';
import { readSettings } from '../../../settings.ts';
import { CommandError } from '../../command-error.ts';
import { examples } from '../../command-examples.ts';
import { connectionOptionNames, pathOf } from '../../connections/connection.ts';
import { connectOperator } from '../../operator-client.ts';
import { print } from '../../output.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

export function addConnectionsCheck(connections: Command): void {
  connections
    .command('check')
    .argument('<id>', 'id of the connection')
    .description(
      'check credentials, permissions, webhook and clock at the host; exit status 1 if a check fails',
    )
    .option('--json', 'print as JSON')
    .addHelpText('after', examples('postil connections check 019a8b1c-7d2e-7f00-8a1b-2c3d4e5f6071'))
    .action(async (id: string, { json }: { json?: boolean }) => {
      const client = await connectOperator(readSettings());
      const request = {
        method: 'POST',
        path: pathOf(id, 'check'),
        optionNames: connectionOptionNames,
      } as const;
      const { checks } = (await client.send(request)) as { checks: Check[] };
      if (json) print(JSON.stringify(checks, null, 2));
      else for (const { name, ok, message } of checks) print(`${ok ? 'ok  ' : 'FAIL'}  ${name}: ${message}`);
      const failed = checks.filter(({ ok }) => !ok).length;
      if (failed > 0) throw new CommandError(`${failed} ${failed === 1 ? 'check' : 'checks'} failed`);
    });
}
