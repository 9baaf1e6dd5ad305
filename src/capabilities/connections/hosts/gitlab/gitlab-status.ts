import { HostRefused } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { type HostStatus, statusNames } from '../review-host.ts';

const maxDescriptionLength = 255;

/** States that GitLab shows in grey, in order of preference: older versions lack the first. */
const neutralStates = ['skipped', 'canceled'];
/** Not `running` for a pending status: GitLab refuses the transition from `running` to `skipped`. */
const states = {
  pending: ['pending'],
  success: ['success'],
  failure: ['failed'],
  neutral: neutralStates,
  // GitLab has no warning state, and `skipped` would block the merge where pipelines must succeed. The description has the
  // number of findings.
  warning: ['success'],
};

/** Sets a commit status, which GitLab shows as a job of an external pipeline. */
export async function setGitLabStatus(
  client: RestClient,
  project: string,
  number: number,
  sha: string,
  { of = 'review', state, title, url }: HostStatus,
): Promise<void> {
  const rest = {
    name: statusNames[of],
    description: title.slice(0, maxDescriptionLength),
    ...(url !== null && { target_url: url }),
  };
  const path = `/projects/${project}/statuses/${sha}`;
  async function set(name: string): Promise<boolean> {
    const body = { state: name, ...rest };
    // Without a ref GitLab looks for a branch with this commit, and does not find that of a fork.
    const ref = `refs/merge-requests/${number}/head`;
    const shown =
      (await client.read({ method: 'POST', path, body })) ??
      (await client.read({ method: 'POST', path, body: { ...body, ref } }));
    return shown !== null;
  }
  let fault: unknown = new HostRefused(404, 'the host does not let the account set commit statuses');
  for (const name of states[state])
    try {
      if (await set(name)) return;
    } catch (error) {
      if (!(error instanceof HostRefused) || error.status !== 400) throw error;
      // Older versions refuse to set a status that is already set.
      if (/cannot transition status/i.test(error.message) && state === 'pending') return;
      fault = error;
    }
  throw fault;
}
