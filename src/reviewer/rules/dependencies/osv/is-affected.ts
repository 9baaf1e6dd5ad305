import type { Ecosystem } from '../../../review-report.ts';
import { compareVersions } from '../versions/versions.ts';
import type { AffectedPackage, VersionRange } from './advisory.ts';

/** Whether an advisory lists a version, or has it in a range. A text that is no version is in no range. */
export function isAffected(version: string, { ecosystem, versions, ranges }: AffectedPackage): boolean {
  if (versions.some((each) => each === version || each === version.replace(/^v(?=\d)/, ''))) return true;
  if (compareVersions(ecosystem, version, version) === undefined) return false;
  return ranges.some((range) => isWithin(ecosystem, version, range));
}

/** Goes through the events in the order of their versions: what was introduced is affected until it is fixed. */
function isWithin(ecosystem: Ecosystem, version: string, { events }: VersionRange): boolean {
  // `0` comes before every version.
  const compare = (a: string, b: string) =>
    a === '0' ? (b === '0' ? 0 : -1) : b === '0' ? 1 : (compareVersions(ecosystem, a, b) ?? 0);
  const at = (event: VersionRange['events'][number]) =>
    event.introduced ?? event.fixed ?? event.last_affected ?? '0';
  let isIn = false;
  for (const event of events.toSorted((a, b) => compare(at(a), at(b)))) {
    const order = compare(version, at(event));
    if (event.introduced !== undefined && order >= 0) isIn = true;
    else if (event.fixed !== undefined && order >= 0) isIn = false;
    else if (event.last_affected !== undefined && order > 0) isIn = false;
  }
  return isIn;
}

/** The lowest fixed version above this one; undefined if the advisory names none. */
export function fixedIn(version: string, { ecosystem, ranges }: AffectedPackage): string | undefined {
  return ranges
    .flatMap(({ events }) => events.flatMap(({ fixed }) => fixed ?? []))
    .filter((fixed) => (compareVersions(ecosystem, fixed, version) ?? -1) > 0)
    .sort((a, b) => compareVersions(ecosystem, a, b) ?? 0)[0];
}
