import { type Host, HostUnavailable } from '../../../connections/hosts/host.ts';
import type { HostStatus } from '../../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../../connections/reading/serving-connection.ts';
import { showStatus } from '../../publishing/publish-run.ts';
import { verdictOf } from '../../publishing/review-verdict.ts';
import { safeLine } from '../../publishing/safe-text.ts';
import type { RunKey, RunStatus } from '../../runs/run-record.ts';
import { refOf } from './plan-run.ts';

/** The page of a run in Postil. */
export type RunUrl = (run: RunKey) => string;

/** The commit of a pull request for which a run shows its state. */
export interface ShownRun extends RunKey {
  readonly number: number;
  readonly head: string;
}

/** Shows at the host that a run is under way. Nothing depends on it, so a host that is busy or refuses is not waited for. */
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

/** Shows at the host that what a run found waits for a member to release it; why the host refuses, if it does. */
export function showWaiting(
  { runUrl }: { readonly runUrl: RunUrl },
  host: Host,
  served: ServedRepository,
  run: ShownRun,
): Promise<string | null> {
  return show(runUrl, host, served, run, { state: 'neutral', title: 'The review waits for release' });
}

/** Shows at the host how a run without a result ended; why the host refuses, if it does. */
export async function showEnd(
  { runUrl }: { readonly runUrl: RunUrl },
  host: Host,
  served: ServedRepository,
  run: ShownRun,
  status: RunStatus,
  reason: string | null,
): Promise<{ refused: string | null }> {
  const hasFailed = status === 'failed';
  // Who stopped it is nobody's business at the host.
  const told = status === 'cancelled' ? 'the review was stopped' : reason;
  const verdict = verdictOf({
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
