import type { Change } from '../change/change.ts';
import { isFixture } from '../change/file-kinds.ts';
import type { Finding } from '../finding.ts';
import type { PlacedFinding } from '../rule-source.ts';
import { identify } from './identify.ts';

/** The files that may have findings, and the first known paths of those that were renamed. */
export interface SayableFiles {
  readonly paths: readonly string[];
  readonly lineages: Readonly<Record<string, string>>;
}

/** Adds identities to findings of sources that look at the whole change. Drops those in fixtures, which are wrong on purpose. */
export async function identifyPlaced(
  found: readonly PlacedFinding[],
  { files }: Change,
  { paths, lineages }: SayableFiles,
  isWanted: (text: string) => boolean = () => true,
): Promise<Finding[]> {
  const sayable = new Set(paths);
  const byPath = Map.groupBy(found, ({ path }) => path);
  const findings: Finding[] = [];
  for (const file of files) {
    const own = byPath.get(file.path);
    if (own === undefined || !sayable.has(file.path) || isFixture(file.path)) continue;
    const text = await file.newText();
    if (text !== undefined && !isWanted(text)) continue;
    const drafts = own.map(({ rule, ...said }) => ({
      ...said,
      source: { kind: 'rule', name: rule } as const,
      rules: [rule],
      learningIds: [],
    }));
    findings.push(...(await identify(drafts, file, text, lineages[file.path])));
  }
  return findings;
}
