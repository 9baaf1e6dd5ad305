import { type ChangeSource, filesByPath } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import { openTree } from '../../repository/tree-view.ts';
import { focusOn } from '../showing/focus.ts';
import { type FoundContext, findContext } from './find-context.ts';
import type { KnownImpact } from './known-impact.ts';

export interface ContextRequest {
  readonly change: ChangeSource & { readonly kind: 'commits' };
  readonly since?: ChangeSource | null | undefined;
  /** The files that a call shows, with the indexes of their hunks among those that are new to the model. */
  readonly shown: readonly { readonly path: string; readonly hunks: readonly number[] }[];
  /** The uses of what these files alter that are already known. */
  readonly known?: readonly KnownImpact[];
  readonly maxTokens: number;
}

/** Short, because the rest of the review waits for it. */
const maxMs = 15_000;

/** Finds the context for the hunks that one call shows. */
export async function work(
  { change: source, since, shown, known = [], maxTokens }: ContextRequest,
  { openChange, deadline }: Pick<Workplace, 'openChange' | 'deadline'>,
): Promise<FoundContext> {
  const end = performance.now() + maxMs;
  const files = filesByPath(await openChange(source));
  const later = since == null ? null : await openChange(since);
  const tree = openTree(source.repository, source.head);
  try {
    const hunks = shown.map(({ path, hunks: numbers }) => {
      const file = files.get(path)!;
      const focused = focusOn(later, file).hunks;
      return { file, hunks: numbers.flatMap((number) => focused[number] ?? []) };
    });
    const isLate = () => deadline.aborted || performance.now() > end;
    return await findContext(hunks, tree, { known, maxTokens, isLate });
  } finally {
    await tree.close();
  }
}
