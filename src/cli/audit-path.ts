import type { Command } from 'commander';
import { providers } from '../lib/ids.ts';
import { CommandError, usageExitCode } from './command-error.ts';
import { providerOption } from './option-values.ts';

/** The options that select one organization. */
export interface OrganizationOptions {
  readonly provider?: string;
  readonly org?: string;
  readonly instance?: string;
}

/** Adds the options that limit a command to one organization. */
export function withOrganizationOptions(command: Command): Command {
  return command
    .addOption(providerOption('Git provider of the organization', providers))
    .option('--org <id>', 'only this organization, by its id at the Git provider')
    .option('--instance <slug>', 'self-hosted instance of the organization');
}

/** The command-line option for each query parameter of the audit log. */
export const auditOptionNames = {
  provider: '--provider',
  org_id: '--org',
  instance: '--instance',
  since: '--since',
};

/** The path of an audit log endpoint, with the options as its query. */
export function auditPath(name: string, options: OrganizationOptions & { readonly since?: string }): string {
  const { provider, org, instance, since } = options;
  const isSelected = provider !== undefined && org !== undefined;
  if (!isSelected && (provider ?? org ?? instance) !== undefined)
    throw new CommandError('Select an organization with both --provider and --org', usageExitCode);
  const given = { provider, org_id: org, instance, since };
  const query = new URLSearchParams(
    Object.entries(given).filter((field): field is [string, string] => field[1] !== undefined),
  );
  return `/operator/v1/audit/${name}${query.size === 0 ? '' : `?${query}`}`;
}
