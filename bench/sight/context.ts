import type { ChangeSource } from '../../src/reviewer/change/change-source.ts';
import { readChange } from '../../src/reviewer/change/read-change.ts';
import type { GoldenFinding } from '../../src/reviewer/evaluation/dataset.ts';
import { countMatches } from '../../src/reviewer/evaluation/match-findings.ts';
import { work as findContext } from '../../src/reviewer/model/context/context-part.ts';
import { impactFor, knownImpact } from '../../src/reviewer/model/context/known-impact.ts';
import type { Snippet } from '../../src/reviewer/model/context/snippet.ts';
import { work as pack } from '../../src/reviewer/model/showing/pack-part.ts';
import type { RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import type { ReferenceFaults } from '../../src/reviewer/rules/references/find-faults.ts';

/** The defaults of a review, in tokens: for the change in a call, and for the code next to it. */
const packTokens = 16_000;
const contextTokens = 6_000;

/** Whether one of the places is in the additional code that the model is shown, in any call of a review. */
export async function isInContext(
  repository: RepositoryPlace,
  { base, head, golden }: { base: string; head: string; golden: readonly GoldenFinding[] },
  { impacts, findings }: Pick<ReferenceFaults, 'impacts' | 'findings'>,
): Promise<boolean> {
  const source: ChangeSource & { kind: 'commits' } = { kind: 'commits', repository, base, head };
  const change = await readChange(repository, { base, head });
  const place = { openChange: async () => change, deadline: new AbortController().signal };
  try {
    const paths = change.files.filter(({ hunks }) => hunks.length > 0).map(({ path }) => path);
    const known = knownImpact(
      impacts.map(({ symbol, file, references }) => ({ symbol, path: file.path, references })),
      findings,
    );
    let next: { file: number; part: number; dividedBy?: number } | null = { file: 0, part: 0 };
    for (let at = 0; next !== null; ) {
      at += next.file;
      const { part, dividedBy } = next;
      const shown = await pack(
        { change: source, paths: paths.slice(at), part, dividedBy, maxTokens: packTokens },
        place,
      );
      const parts = shown.parts.map(({ path, hunks }) => ({ path, hunks }));
      const own = impactFor(known, parts, paths);
      const request = { change: source, shown: parts, known: own, maxTokens: contextTokens };
      const { snippets } = await findContext(request, place);
      if (countMatches(snippets as readonly Snippet[], golden) > 0) return true;
      next = shown.next;
    }
    return false;
  } finally {
    await change.close();
  }
}
