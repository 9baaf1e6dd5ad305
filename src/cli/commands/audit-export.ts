import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import { auditPath, type OrganizationOptions, withOrganizationOptions } from '../audit-path.ts';
import { connectOperator } from '../operator-client.ts';

export function addAuditExport(audit: Command): void {
  withOrganizationOptions(audit.command('export'))
    .description('print every audit entry as a line of JSON, for instance for a SIEM')
    .option('--since <date>', 'only entries from this date or date-time on')
    .action(async ({ since, ...organization }: OrganizationOptions & { since?: string }) => {
      const client = await connectOperator(readSettings());
      const path = auditPath('entries', {
        ...organization,
        ...(since !== undefined && { since: since.includes('T') ? since : `${since}T00:00:00Z` }),
      });
      await pipeline(await client.download(path), process.stdout).catch((error: NodeJS.ErrnoException) => {
        // The reader has enough, as in "postil audit export | head".
        if (error.code !== 'EPIPE') throw error;
      });
    });
}
