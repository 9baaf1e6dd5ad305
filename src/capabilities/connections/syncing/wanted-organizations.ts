import type { Host, HostOrganization } from '../hosts/host.ts';

/** Whether an organization is among the wanted names or ids; names at hosts ignore case. */
export function isWanted({ id, name }: HostOrganization, wanted: readonly string[]): boolean {
  return wanted.some((choice) => choice === id || choice.toLowerCase() === name.toLowerCase());
}

/** The organizations at the host that a connection is meant to serve; null means all that the account sees. */
export async function wantedOrganizations(
  host: Host,
  wanted: readonly string[] | null,
): Promise<HostOrganization[]> {
  const visible = await Array.fromAsync(host.listOrganizations());
  return wanted === null ? visible : visible.filter((organization) => isWanted(organization, wanted));
}
