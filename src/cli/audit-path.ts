import { type Command, Option } from 'commander';
import { providers } from '../lib/ids.ts';
import { CommandError, calledWrongly } from './command-error.ts';

/** How a command names one organization. */
export interface OrganizationOptions {
  readonly provider?: string;
  readonly org?: string;
  readonly instance?: string;
}

/** Lets a command be about one organization instead of all. */
export function withOrganizationOptions(command: Command): Command {
  return command
    .addOption(new Option('--provider <provider>', 'Git provider of the organization').choices(providers))
    .option('--org <id>', 'only this organization, by its id at the Git provider')
    .option('--instance <slug>', 'self-hosted instance of the organization');
}

/** What faults call the parameters of the audit log. */
export const auditNames = {
  provider: '--provider',
  org_id: '--org',
  instance: '--instance',
  since: '--since',
};

/** The path of an endpoint of the audit log, with what the options say. */
export function auditPath(name: string, options: OrganizationOptions & { readonly since?: string }): string {
  const { provider, org, instance, since } = options;
  const isNamed = provider !== undefined && org !== undefined;
  if (!isNamed && (provider ?? org ?? instance) !== undefined)
    throw new CommandError('An organization is named by --provider and --org together', calledWrongly);
  const given = { provider, org_id: org, instance, since };
  const query = new URLSearchParams(
    Object.entries(given).filter((field): field is [string, string] => field[1] !== undefined),
  );
  return `/operator/v1/audit/${name}${query.size === 0 ? '' : `?${query}`}`;
}
