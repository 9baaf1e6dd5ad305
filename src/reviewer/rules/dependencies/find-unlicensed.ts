import type { PlacedFinding } from '../../rule-source.ts';
import { named, raise } from './dependency-rules.ts';
import { type LicencePolicy, licenceFits } from './licences.ts';
import type { VersionChange } from './version-changes.ts';

/** Added or updated packages with a licence that is not accepted, and a note about those whose licence is not known. */
export function findUnlicensed(
  changes: readonly VersionChange[],
  policy: LicencePolicy,
): { readonly findings: readonly PlacedFinding[]; readonly notes: readonly string[] } {
  if (policy.allow.length === 0 && policy.deny.length === 0) return { findings: [], notes: [] };
  const brought = changes.filter(({ to, ecosystem }) => to !== null && ecosystem !== 'GitHub Actions');
  const findings: PlacedFinding[] = [];
  const unknown = new Set<string>();
  for (const { name, licence, path, line } of brought) {
    const fits = licence === null ? null : licenceFits(licence, policy);
    if (fits === null) unknown.add(name);
    else if (!fits)
      findings.push(raise('licence', { path, line }, `\`${name}\` is licensed under ${licence}`));
  }
  const isOne = unknown.size === 1;
  const notes =
    unknown.size === 0
      ? []
      : [`The ${isOne ? 'licence' : 'licences'} of ${named([...unknown])} ${isOne ? 'is' : 'are'} unknown`];
  return { findings, notes };
}
