import type { Change } from '../change/change.ts';
import { isFixture } from '../change/file-kinds.ts';
import type { Finding } from '../finding.ts';
import type { PlacedFinding } from '../rule-source.ts';
import { identify } from './identify.ts';

/** About which files something may be said, and under which paths they were first known, where those are others. */
export interface SayableFiles {
  readonly paths: readonly string[];
  readonly lineages: Readonly<Record<string, string>>;
}

/** Gives findings of a look at the whole change their identity. Nothing is said about files that are wrong on purpose. */
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
