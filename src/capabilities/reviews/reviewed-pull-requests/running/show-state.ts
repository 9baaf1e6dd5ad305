import { type Host, HostUnavailable } from '../../../connections/hosts/host.ts';
import type { HostStatus } from '../../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import { showStatus } from '../../publishing/publish-run.ts';
import { statusOfReview } from '../../publishing/review-status.ts';
import { safeLine } from '../../publishing/safe-text.ts';
import type { RunKey, RunStatus } from '../../runs/run-record.ts';
import { refOf } from './plan-run.ts';

/** Builds the URL of a run's page in Postil. */
export type RunUrl = (run: RunKey) => string;

/** A run, and the commit whose status it shows. */
export interface ShownRun extends RunKey {
  readonly number: number;
  readonly head: string;
}

/** Shows at the host that a run is under way. Best effort: a host that is busy or refuses is not waited for. */
export async function showPending(
  { runUrl }: { readonly runUrl: RunUrl },
  host: Host,
  served: ServedRepository,
  run: ShownRun,
): Promise<void> {
  const status = { state: 'pending', title: 'Review in progress' } as const;
  await show(runUrl, host, served, run, status).catch((error: unknown) => {
    if (!(error instanceof HostUnavailable)) throw error;
  });
}

/** Shows at the host that findings wait to be released by a member; returns the reason if the host refuses. */
export function showWaiting(
  { runUrl }: { readonly runUrl: RunUrl },
  host: Host,
  served: ServedRepository,
  run: ShownRun,
): Promise<string | null> {
  return show(runUrl, host, served, run, { state: 'neutral', title: 'The review waits for release' });
}

/** Shows at the host how a run without a result ended; returns the reason if the host refuses. */
export async function showEnd(
  { runUrl }: { readonly runUrl: RunUrl },
  host: Host,
  served: ServedRepository,
  run: ShownRun,
  status: RunStatus,
  reason: string | null,
): Promise<{ refused: string | null }> {
  const hasFailed = status === 'failed';
  // The name of the person who stopped it stays private.
  const told = status === 'cancelled' ? 'the review was stopped' : reason;
  const verdict = statusOfReview({
    status: hasFailed ? 'failed' : 'skipped',
    reason: told,
    failOn: 'none',
    open: [],
  });
  return { refused: await show(runUrl, host, served, run, verdict) };
}

function show(
  runUrl: RunUrl,
  host: Host,
  served: ServedRepository,
  run: ShownRun,
  { state, title }: Pick<HostStatus, 'state' | 'title'>,
): Promise<string | null> {
  const { connection, repository } = served;
  const shown = safeLine(title, `${connection.url}/${repository.fullName}`);
  const status = { state, title: shown, description: shown, url: runUrl(run) };
  return showStatus(host, refOf(served), run.number, run.head, status);
}
