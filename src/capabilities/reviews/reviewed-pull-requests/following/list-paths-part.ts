import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import type { Workplace } from '../../../../reviewer/process/part.ts';

export interface ListPathsRequest {
  readonly change: ChangeSource;
  /** Further paths to include. */
  readonly others: readonly string[];
  readonly max: number;
}

/** The paths of a change and the others, without duplicates; null if there are more than `max`. */
export async function work(
  { change: source, others, max }: ListPathsRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<string[] | null> {
  const { files } = await openChange(source);
  const paths = new Set([...others, ...files.map(({ path }) => path)]);
  return paths.size > max ? null : [...paths];
}
