import { CommandError } from '../command-error.ts';
import { asDiff, demoChanges } from './changes.ts';
import type { DemoOrganization } from './company.ts';

/**
 * Has the demo's changes reviewed, unless there are reviews already. The demo has no Git host, so they are sent as diffs,
 * which go through the same rules and runs as pull requests do.
 */
export async function reviewDemoChanges(
  url: string,
  organization: DemoOrganization,
  key: string,
): Promise<void> {
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  const call = async (path: string, body?: object) => {
    const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, ...request });
    if (!response.ok) throw new CommandError(`The demo's reviews failed: ${await response.text()}`);
    return response.json() as Promise<{ data: unknown[] }>;
  };
  const { data: known } = await call('/v1/reviews?limit=1');
  if (known.length > 0) return;
  const repository_id = organization.repositories[0]!.id;
  for (const change of demoChanges) await call('/v1/reviews', { repository_id, ...asDiff(change) });
}
