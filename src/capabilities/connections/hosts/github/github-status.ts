import { HostRefused } from '../host.ts';
import { type HostStatus, statusNames } from '../review-host.ts';
import type { GitHubClient } from './github-client.ts';

const checkNames = { ...statusNames, review: 'Postil' };
const maxDescriptionLength = 140;

interface CheckRun {
  readonly id: number;
  readonly status: string;
}

/**
 * Shows a check run; only apps have them, and false means that this one was not granted them. A check that exists already is
 * changed, unless it starts anew.
 */
export async function setGitHubCheck(
  client: GitHubClient,
  path: string,
  sha: string,
  appId: string,
  status: HostStatus,
): Promise<boolean> {
  try {
    const found = await client.read<{ check_runs: readonly CheckRun[] }>(
      `${path}/commits/${sha}/check-runs`,
      { check_name: checkNames[status.of ?? 'review'], app_id: Number(appId), filter: 'latest' },
    );
    const existing = found?.check_runs[0];
    const isAnew = status.state === 'pending' && existing?.status === 'completed';
    const shown =
      existing === undefined || isAnew
        ? await client.write('POST', `${path}/check-runs`, { ...checkOf(status), head_sha: sha })
        : await client.write('PATCH', `${path}/check-runs/${existing.id}`, checkOf(status));
    return shown !== null;
  } catch (error) {
    if (error instanceof HostRefused && error.status === 403) return false;
    throw error;
  }
}

function checkOf({ of = 'review', state, title, description, url }: HostStatus) {
  const conclusion = state === 'warning' ? 'neutral' : state;
  return {
    name: checkNames[of],
    ...(state === 'pending' ? { status: 'in_progress' } : { status: 'completed', conclusion }),
    ...(url !== null && { details_url: url }),
    output: { title, summary: description },
  };
}

/**
 * Sets a commit status; that is what a token can do. GitHub has no neutral one: `pending` is the only state that is neither
 * green nor red, and its description says that the review has ended (ADR 0089).
 */
export async function setGitHubStatus(
  client: GitHubClient,
  path: string,
  sha: string,
  { of = 'review', state, title, url }: HostStatus,
): Promise<void> {
  const shown = await client.write('POST', `${path}/statuses/${sha}`, {
    state: state === 'neutral' || state === 'warning' ? 'pending' : state,
    context: statusNames[of],
    description: title.slice(0, maxDescriptionLength),
    ...(url !== null && { target_url: url }),
  });
  if (shown === null) throw new HostRefused(404, 'the host does not let the account set commit statuses');
}
