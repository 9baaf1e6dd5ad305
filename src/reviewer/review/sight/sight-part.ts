import type { Change } from '../../change/change.ts';
import { textsAfter } from '../../change/change-on-base.ts';
import type { ChangeSource } from '../../change/change-source.ts';
import { isFixture, isGeneratedText, isWorthReading } from '../../change/file-kinds.ts';
import type { Impact, Reference } from '../../code/impact/find-impact.ts';
import { languages } from '../../code/languages.ts';
import { unresolvedLanguages } from '../../code/unresolved-languages.ts';
import type { Finding } from '../../finding.ts';
import { identify } from '../../judge/identify.ts';
import type { Workplace } from '../../process/part.ts';
import { GitError } from '../../repository/run-git.ts';
import { openTree, type TreeView } from '../../repository/tree-view.ts';
import { overlayTree } from '../../repository/trees/overlay-tree.ts';
import { findReferenceFaults, type PlacedFinding } from '../../rules/references/find-faults.ts';

import { nothingSeen, notLooked, type SeenImpact, type Sight } from './sight.ts';

export interface SightRequest {
  /** With a repository behind it. */
  readonly change: ChangeSource;
  /** The files about which something may be said. */
  readonly paths: readonly string[];
  /** The paths under which files were first known, where they are others. */
  readonly lineages: Readonly<Record<string, string>>;
}

/** A part as a whole has a minute; what was found by then is worth more than the rest. */
const sightMs = 40_000;
const maxFindings = 200;
const maxImpact = 100;
const maxReferences = 50;

/** Looks at the repository before and after the change: what the change breaks in files that it leaves as they were. */
export async function work(request: SightRequest, place: Workplace): Promise<Sight> {
  const change = await place.openChange(wholeOf(request.change));
  const trees = await openSides(request.change, change);
  if (typeof trees === 'string') return nothingSeen(notLooked(trees));
  const notes = unresolvedLanguages(change.files.filter(({ path }) => request.paths.includes(path)));
  try {
    const missing = await lackingCode(trees, change);
    if (missing !== null) return nothingSeen(...notes, missing);
    const ended = AbortSignal.any([place.signal, place.deadline, AbortSignal.timeout(sightMs)]);
    const found = await findReferenceFaults(change, trees, languages, ended);
    place.signal.throwIfAborted();
    const said = new Set(request.paths);
    const impacts = found.impacts.filter(({ file }) => said.has(file.path));
    const late = found.isWhole
      ? []
      : ['Not every use of what changed was looked at: the time ended before that'];
    return {
      findings: await identifyAll(found.findings, change, request),
      impact: impacts.map(asSeen).sort(mostUsedFirst).slice(0, maxImpact),
      totalImpact: impacts.length,
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

/** Files that nobody asked about have changed as well, and what they use now counts. */
function wholeOf(source: ChangeSource): ChangeSource {
  if (source.kind === 'diff') return source;
  const { selected: _selected, ...whole } = source;
  return whole;
}

/** The repository before and after the change; a reason for people where nobody knows how it is after it. */
async function openSides(
  source: ChangeSource,
  change: Change,
): Promise<{ readonly base: TreeView; readonly head: TreeView } | string> {
  if (source.kind === 'commits') {
    const { repository, base, head } = source;
    return { base: openTree(repository, base), head: openTree(repository, head) };
  }
  const base = openTree(source.behind!.repository, source.behind!.base);
  const { texts, misfits } = await textsAfter(change, base);
  if (misfits.length === 0) return { base, head: overlayTree(base, texts) };
  await base.close();
  return `the diff is no change of the base revision in ${misfits.length === 1 ? 'one file' : `${misfits.length} files`}`;
}

/** Says of a repository without the contents of its code why nothing can be said of it; null where they are here. */
async function lackingCode(
  trees: { readonly base: TreeView; readonly head: TreeView },
  change: Change,
): Promise<string | null> {
  const wanted = languages.filter(({ covers }) =>
    change.files.some(({ path, oldPath }) => covers(path) || covers(oldPath ?? path)),
  );
  if (wanted.length === 0) return null;
  const missing = new Set([...(await trees.base.missing()), ...(await trees.head.missing())]);
  const count = [...missing].filter(
    (path) => isWorthReading(path) && wanted.some(({ covers }) => covers(path)),
  ).length;
  if (count === 0) return null;
  return notLooked(count === 1 ? 'one of its files is not here' : `${count} of its files are not here`);
}

/** Gives findings their identity. Nothing is said about files that are wrong on purpose, or that nobody writes. */
async function identifyAll(
  found: readonly PlacedFinding[],
  { files }: Change,
  { paths, lineages }: SightRequest,
): Promise<Finding[]> {
  const said = new Set(paths);
  const byPath = Map.groupBy(found, ({ path }) => path);
  const findings: Finding[] = [];
  for (const file of files) {
    const own = byPath.get(file.path);
    if (own === undefined || !said.has(file.path) || isFixture(file.path)) continue;
    const text = await file.newText();
    if (text !== undefined && isGeneratedText(text)) continue;
    const drafts = own.map(({ rule, ...said }) => ({
      ...said,
      source: { kind: 'rule', name: rule } as const,
      rules: [rule],
      learningIds: [],
    }));
    findings.push(...(await identify(drafts, file, text, lineages[file.path])));
  }
  return findings.slice(0, maxFindings);
}

function asSeen({ symbol, renamedTo, change, file, before, after, references }: Impact): SeenImpact {
  const rank = ({ state }: Reference) => ['broken', 'unknown', 'fits', 'updated'].indexOf(state);
  return {
    symbol,
    renamedTo,
    change,
    path: file.path,
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
  return broken(b) - broken(a) || b.totalReferences - a.totalReferences;
}
