import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import {
  auditOptionNames,
  auditPath,
  type OrganizationOptions,
  withOrganizationOptions,
} from '../audit-path.ts';
import { CommandError } from '../command-error.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { print, table } from '../output.ts';

interface Chain {
  readonly chain_id: string;
  readonly org_id: string | null;
  readonly workspace: string | null;
  readonly entries: number;
  readonly head: string;
  readonly fault: { readonly position: number; readonly message: string } | null;
}

interface Verification {
  readonly verified: boolean;
  readonly entries: number;
  readonly chains: readonly Chain[];
}

function ownerOf({ org_id, workspace }: Chain): string {
  if (org_id !== null) return `organization ${org_id}`;
  return workspace === null ? 'platform' : `workspace ${workspace}`;
}

export function addAuditVerify(audit: Command): void {
  withOrganizationOptions(audit.command('verify'))
    .description('check that no audit entry was changed or removed')
    .option(
      '--json',
      'print as JSON, with the last hash of every chain; store it elsewhere for a stronger proof later',
    )
    .addHelpText(
      'after',
      examples('postil audit verify', 'postil audit verify --provider github --org 1001 --json'),
    )
    .action(async (options: OrganizationOptions & { json?: boolean }) => {
      const path = auditPath('verification', options);
      const client = await connectOperator(readSettings());
      const request = { method: 'GET', path, optionNames: auditOptionNames } as const;
      const { verified, entries, chains } = (await client.send(request)) as Verification;
      const broken = chains.filter(({ fault }) => fault !== null);
      if (options.json) print(JSON.stringify({ verified, entries, chains }, null, 2));
      else if (verified)
        print(
          `${entries} entries in ${chains.length} ${chains.length === 1 ? 'chain' : 'chains'}, all intact`,
        );
      else {
        const rows = broken.map((chain) => [
          ownerOf(chain),
          `${chain.fault!.position}`,
          chain.fault!.message,
        ]);
        print(table(['CHAIN', 'ENTRY', 'PROBLEM'], rows));
      }
      if (!verified) throw new CommandError(`${broken.length} of ${chains.length} chains were tampered with`);
    });
}
