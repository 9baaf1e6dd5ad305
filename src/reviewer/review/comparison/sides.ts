import type { Change } from '../../change/change.ts';
import { textsAfter } from '../../change/change-on-base.ts';
import type { ChangeSource } from '../../change/change-source.ts';
import { openTree } from '../../repository/tree-view.ts';
import { overlayTree } from '../../repository/trees/overlay-tree.ts';
import type { ChangeSides } from '../../rule-source.ts';

/** The source without its selection, because the new content of files that were not selected counts as well. */
export function wholeOf(source: ChangeSource): ChangeSource {
  if (source.kind === 'diff') return source;
  const { selected: _selected, ...whole } = source;
  return whole;
}

/** The repository before and after the change; a reason as text if its state after the change is unknown. */
export async function openSides(source: ChangeSource, change: Change): Promise<ChangeSides | string> {
  if (source.kind === 'commits') {
    const { repository, base, head } = source;
    const trees = { base: openTree(repository, base), head: openTree(repository, head) };
    return { change, ...trees, hasRepository: true };
  }
  const base = openTree(source.behind!.repository, source.behind!.base);
  const { texts, misfits } = await textsAfter(change, base).catch(async (error: unknown) => {
    await base.close();
    throw error;
  });
  if (misfits.length === 0) return { change, base, head: overlayTree(base, texts), hasRepository: true };
  await base.close();
  return `the diff is no change of the base revision in ${misfits.length === 1 ? 'one file' : `${misfits.length} files`}`;
}
