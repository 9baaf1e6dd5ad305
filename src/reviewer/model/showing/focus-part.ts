import { type ChangeSource, filesByPath } from '../../change/change-source.ts';
import type { Workplace } from '../../process/part.ts';
import { focusOn } from './focus.ts';

export interface FocusRequest {
  readonly change: ChangeSource;
  readonly since: ChangeSource;
  readonly paths: readonly string[];
}

/** Filters files for those with hunks that a model has not seen. */
export async function work(
  { change, since, paths }: FocusRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<string[]> {
  const files = filesByPath(await openChange(change));
  const later = await openChange(since);
  return paths.filter((path) => focusOn(later, files.get(path)!).hunks.length > 0);
}
