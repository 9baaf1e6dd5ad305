import { HostRefused } from '../host.ts';
import type { HostStatus } from '../review-host.ts';
import type { GitHubClient } from './github-client.ts';

const checkName = 'Postil';
const statusContext = 'postil';
const maxDescriptionLength = 140;

interface CheckRun {
  readonly id: number;
  readonly status: string;
}

/** Shows a check run; only apps have them. One that exists already is changed, unless it starts anew. */
export async function setGitHubCheck(
  client: GitHubClient,
  path: string,
  sha: string,
  appId: string,
  { state, title, description, url }: HostStatus,
): Promise<void> {
  const found = await client.read<{ check_runs: readonly CheckRun[] }>(`${path}/commits/${sha}/check-runs`, {
    check_name: checkName,
    app_id: Number(appId),
    filter: 'latest',
  });
  const existing = found?.check_runs[0];
  const isPending = state === 'pending';
  const content = {
    name: checkName,
    ...(isPending ? { status: 'in_progress' } : { status: 'completed', conclusion: state }),
    ...(url !== null && { details_url: url }),
    output: { title, summary: description },
  };
  const isChanged = existing !== undefined && !(isPending && existing.status === 'completed');
  const shown = isChanged
    ? await client.write('PATCH', `${path}/check-runs/${existing.id}`, content)
    : await client.write('POST', `${path}/check-runs`, { ...content, head_sha: sha });
  if (shown === null) throw new HostRefused(404, 'the host does not let the app write checks');
}

/**
 * Sets a commit status; that is what a token can do. GitHub has no neutral one: `pending` is the only state that is neither
 * green nor red, and its description says that the review has ended (ADR 0095).
 */
export async function setGitHubStatus(
  client: GitHubClient,
  path: string,
  sha: string,
  { state, title, url }: HostStatus,
): Promise<void> {
  const shown = await client.write('POST', `${path}/statuses/${sha}`, {
    state: state === 'neutral' ? 'pending' : state,
    context: statusContext,
    description: title.slice(0, maxDescriptionLength),
    ...(url !== null && { target_url: url }),
  });
  if (shown === null) throw new HostRefused(404, 'the host does not let the account set commit statuses');
}
