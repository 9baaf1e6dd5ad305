import { asDiff, demoChanges } from './changes.ts';
import type { DemoOrganization } from './company.ts';
import type { DemoApi } from './demo-api.ts';

/**
 * Has the demo's changes reviewed, unless there are reviews already. The demo has no Git host, so they are sent as diffs,
 * which go through the same rules and runs as pull requests do.
 */
export async function reviewDemoChanges(api: DemoApi, organization: DemoOrganization): Promise<void> {
  const { data: known } = await api<{ data: unknown[] }>('GET', '/v1/reviews?limit=1');
  if (known.length > 0) return;
  const repository_id = organization.repositories[0]!.id;
  for (const change of demoChanges) await api('POST', '/v1/reviews', { repository_id, ...asDiff(change) });
}
