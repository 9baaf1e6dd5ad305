import type { Command } from 'commander';
import { readSettings } from '../../settings.ts';
import {
  auditOptionNames,
  auditPath,
  type OrganizationOptions,
  withOrganizationOptions,
} from '../audit-path.ts';
import { examples } from '../command-examples.ts';
import { connectOperator } from '../operator-client.ts';
import { parseMoment } from '../option-values.ts';
import { printAll } from '../output.ts';

export function addAuditExport(audit: Command): void {
  withOrganizationOptions(audit.command('export'))
    .description('print every audit entry as one line of JSON, for example for a SIEM')
    .option(
      '--since <when>',
      'only entries since then: a date, a date-time, or a number of days ago such as 7d',
      parseMoment('ago'),
    )
    .addHelpText(
      'after',
      examples('postil audit export --since 2026-06-01 > audit.ndjson', 'postil audit export --since 7d'),
    )
    .action(async (options: OrganizationOptions & { since?: string }) => {
      const path = auditPath('entries', options);
      const client = await connectOperator(readSettings());
      await printAll(await client.download(path, auditOptionNames));
    });
}
