import type { Host, HostOrganization } from '../hosts/host.ts';
import type { PartFault } from './each-on-its-own.ts';

/** Whether an organization is among the wanted names or ids; names at hosts ignore case. */
export function isWanted({ id, name }: HostOrganization, wanted: readonly string[]): boolean {
  return wanted.some((choice) => choice === id || choice.toLowerCase() === name.toLowerCase());
}

/**
 * The organizations at the host that a connection is meant to serve, null meaning all that the account sees; and the wanted
 * ones that it does not see.
 */
export async function wantedOrganizations(
  host: Host,
  wanted: readonly string[] | null,
): Promise<{ readonly organizations: HostOrganization[]; readonly missing: string[] }> {
  const visible = await Array.fromAsync(host.listOrganizations());
  if (wanted === null) return { organizations: visible, missing: [] };
  return {
    organizations: visible.filter((organization) => isWanted(organization, wanted)),
    missing: wanted.filter((name) => !visible.some((organization) => isWanted(organization, [name]))),
  };
}

/** Why an organization that was named is not served. */
export const invisible = 'the account cannot see it';

/** The wanted organizations that the account does not see, as parts of a connection that cannot be read. */
export function faultsOfMissing(missing: readonly string[]): PartFault<{ readonly name: string }>[] {
  return missing.map((name) => ({ part: { name }, message: invisible, cause: undefined }));
}
