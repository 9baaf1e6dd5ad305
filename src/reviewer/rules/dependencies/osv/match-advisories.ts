import type { Ecosystem } from '../../../review-report.ts';
import type { Advisory, AffectedPackage } from './advisory.ts';
import { isAffected } from './is-affected.ts';
import { packageKey } from './package-key.ts';

/** An advisory, and its entry about the package. */
export interface AdvisoryHit {
  readonly advisory: Advisory;
  readonly affected: AffectedPackage;
}

interface Versioned {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
}

/** The affected versions, each with its advisories. An advisory with several entries is listed once. */
export function matchAdvisories<Version extends Versioned>(
  versions: readonly Version[],
  advisories: readonly Advisory[],
): { readonly version: Version; readonly hits: readonly AdvisoryHit[] }[] {
  const known = Map.groupBy(
    advisories.flatMap((advisory) => advisory.affected.map((affected) => ({ advisory, affected }))),
    ({ affected: { ecosystem, name } }) => `${ecosystem}\0${name}`,
  );
  return versions.flatMap((version) => {
    const about = known.get(`${version.ecosystem}\0${packageKey(version.ecosystem, version.name)}`) ?? [];
    const hits = about.filter(({ affected }) => isAffected(version.version, affected));
    if (hits.length === 0) return [];
    return [{ version, hits: [...new Map(hits.map((hit) => [hit.advisory.id, hit])).values()] }];
  });
}
