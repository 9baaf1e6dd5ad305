import type { Change } from '../../../../reviewer/change/change.ts';
import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import type { Workplace } from '../../../../reviewer/process/part.ts';
import type { RunMode, RunTrigger } from '../../runs/run-record.ts';
import type { LastReview } from '../pull-request-facts.ts';
import { chooseUnchanged, type EarlierResult } from './earlier-review.ts';
import { lineages } from './lineage.ts';

export interface PrepareRequest {
  readonly change: ChangeSource;
  /** The difference between the last reviewed head and this one; null if unknown. */
  readonly since: ChangeSource | null;
  readonly last: LastReview | null;
  readonly earlier: EarlierResult | null;
  readonly run: { readonly mode: RunMode; readonly trigger: RunTrigger };
}

/** What is known about a change before it is reviewed. */
export interface Prepared {
  /** The paths of files that are unchanged since the last review. */
  readonly unchanged: readonly string[];
  /** Whether no file needs to be reviewed, so that the earlier result is reused. */
  readonly isTakenOver: boolean;
  /** The paths under which files were first known in the pull request, where these differ from their path in the base. */
  readonly lineages: Readonly<Record<string, string>>;
}

/** Compares a change with the last reviewed one. */
export async function work(
  { change: source, since, last, earlier, run }: PrepareRequest,
  { openChange }: Pick<Workplace, 'openChange'>,
): Promise<Prepared> {
  const change: Change = await openChange(source);
  const later = since === null ? null : await openChange(since);
  const { unchanged, isTakenOver } = chooseUnchanged(change, last, earlier ?? undefined, run);
  const lineageOf = lineages(change, last?.files ?? [], later);
  const known = change.files.map((file) => [file, lineageOf(file)] as const);
  return {
    unchanged: [...unchanged],
    isTakenOver,
    lineages: Object.fromEntries(
      known
        .filter(([file, lineage]) => lineage !== (file.oldPath ?? file.path))
        .map(([{ path }, lineage]) => [path, lineage]),
    ),
  };
}
