import { wakingTimeout } from '../../../lib/concurrency/waking-time.ts';
import type { Change } from '../../change/change.ts';
import type { ChangeSource } from '../../change/change-source.ts';
import { isFixture, isGeneratedText, isWorthReading } from '../../change/file-kinds.ts';
import type { Impact } from '../../code/impact/find-impact.ts';
import type { Reference } from '../../code/impact/judge-use.ts';
import { languages } from '../../code/languages.ts';
import { unresolvedLanguages } from '../../code/unresolved-languages.ts';
import { identifyPlaced, type SayableFiles } from '../../judge/identify-placed.ts';
import { keepWorst } from '../../judge/limit-findings.ts';
import type { Workplace } from '../../process/part.ts';
import { GitError } from '../../repository/run-git.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { concernedBy, findReferenceFaults } from '../../rules/references/find-faults.ts';
import { nothingSeen, notLooked, type SeenImpact, type Sight } from '../../sight.ts';
import { openSides, wholeOf } from '../comparison/sides.ts';

export interface SightRequest extends SayableFiles {
  /** A change with a repository. */
  readonly change: ChangeSource;
}

/** Shorter than the minute of a part, so that the findings so far are not lost. */
const sightMs = 40_000;
const maxImpact = 100;
const maxReferences = 50;

/** Analyzes the repository before and after the change, to find what it breaks in files that it does not touch. */
export async function work(request: SightRequest, place: Workplace): Promise<Sight> {
  const change = await place.openChange(wholeOf(request.change));
  const trees = await openSides(request.change, change);
  if (typeof trees === 'string') return nothingSeen(notLooked(trees));
  const said = new Set(request.paths);
  const notes = unresolvedLanguages(change.files.filter(({ path }) => said.has(path)));
  try {
    const missing = await lackingCode(trees, change);
    if (missing !== null) return nothingSeen(...notes, missing);
    const ended = AbortSignal.any([place.signal, place.deadline, wakingTimeout(sightMs)]);
    const found = await findReferenceFaults(change, trees, languages, ended);
    place.signal.throwIfAborted();
    const impacts = found.impacts.filter(({ file }) => said.has(file.path));
    const late = found.isWhole
      ? []
      : ['Not all uses of the changed code were checked: there was not enough time'];
    const isWritten = (text: string) => !isGeneratedText(text);
    const { findings, short } = keepWorst(await identifyPlaced(found.findings, change, request, isWritten));
    return {
      findings,
      short: [...short],
      impact: impacts.map(asSeen).sort(mostUsedFirst).slice(0, maxImpact),
      totalImpact: impacts.length,
      looked: change.files
        .map(({ path }) => path)
        .filter((path) => !isFixture(path) && languages.some(({ covers }) => covers(path))),
      notes: [...notes, ...found.notes, ...late],
      isWhole: found.isWhole,
    };
  } catch (error) {
    place.signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    return nothingSeen(...notes, notLooked(error.message));
  } finally {
    await Promise.all([trees.base.close(), trees.head.close()]);
  }
}

/** A note why a repository without the contents of its code cannot be analyzed; null if the contents are present. */
async function lackingCode(
  trees: { readonly base: TreeView; readonly head: TreeView },
  change: Change,
): Promise<string | null> {
  const wanted = concernedBy(change, languages);
  if (wanted.length === 0) return null;
  const missing = new Set([...(await trees.base.missing()), ...(await trees.head.missing())]);
  const count = [...missing].filter(
    (path) => isWorthReading(path) && wanted.some(({ covers }) => covers(path)),
  ).length;
  if (count === 0) return null;
  return notLooked(
    count === 1 ? 'one of its files is not available' : `${count} of its files are not available`,
  );
}

function asSeen({ symbol, renamedTo, change, file, movedTo, before, after, references }: Impact): SeenImpact {
  const rank = ({ state }: Reference) => ['broken', 'unknown', 'fits', 'updated'].indexOf(state);
  return {
    symbol,
    renamedTo,
    change,
    path: (movedTo ?? file).path,
    line: (after ?? before).startLine,
    references: references
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, maxReferences)
      .map(({ path, line, state }) => ({ path, line, state })),
    totalReferences: references.length,
  };
}

function mostUsedFirst(a: SeenImpact, b: SeenImpact): number {
  const broken = ({ references }: SeenImpact) => references.filter(({ state }) => state === 'broken').length;
  const isUsed = ({ totalReferences }: SeenImpact) => Number(totalReferences > 0);
  const hasMoved = ({ change }: SeenImpact) => Number(change === 'moved');
  return (
    broken(b) - broken(a) ||
    isUsed(b) - isUsed(a) ||
    hasMoved(a) - hasMoved(b) ||
    b.totalReferences - a.totalReferences
  );
}
