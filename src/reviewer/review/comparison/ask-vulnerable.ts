import { partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import { packageKey } from '../../rules/dependencies/osv/package-key.ts';
import type { ReviewRequest } from '../review-request.ts';
import type { SourceComparison } from './compare-part.ts';

const vulnerablePart = partAt<typeof import('../../rules/dependencies/osv/vulnerable-part.ts')>(
  '../../rules/dependencies/osv/vulnerable-part',
  import.meta.url,
);

const unchecked = 'No version was checked for known vulnerabilities';
const noData = `${unchecked}: there are no advisories here (docs/dependencies-review.md)`;

/** Looks up the versions that a change introduces in the operator's advisories. If that is impossible, a note says why. */
export async function withVulnerable(
  { change, advisories: find, lineages = {}, run, signal }: ReviewRequest,
  { brought = [], ...compared }: SourceComparison,
  paths: readonly string[],
): Promise<SourceComparison> {
  if (brought.length === 0) return compared;
  const noted = (...notes: readonly string[]) => ({ ...compared, notes: [...compared.notes, ...notes] });
  try {
    const names = new Map(
      brought.map(({ ecosystem, name }) => [
        `${ecosystem}\0${name}`,
        { ecosystem, name: packageKey(ecosystem, name) },
      ]),
    );
    const known = await find?.([...names.values()]);
    if (known == null) return noted(noData);
    const { advisories, notes } = known;
    if (advisories.length === 0) return noted(...notes);
    const { affected, findings } = await run(vulnerablePart, {
      change,
      brought,
      advisories,
      paths,
      lineages,
    });
    const idsOf = new Map(
      affected.map(({ brought: { ecosystem, name, version }, ids }) => [
        `${ecosystem}\0${name}\0${version}`,
        ids,
      ]),
    );
    const dependencies = (compared.report.dependencies ?? []).map((each) => ({
      ...each,
      vulnerabilities: idsOf.get(`${each.ecosystem}\0${each.name}\0${each.to}`) ?? [],
    }));
    return {
      ...noted(...notes),
      findings: [...compared.findings, ...findings],
      report: { ...compared.report, dependencies },
    };
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof PartEnded ? error.message : (error as Error).message.slice(0, 200);
    return noted(`${unchecked}: ${why}`);
  }
}
