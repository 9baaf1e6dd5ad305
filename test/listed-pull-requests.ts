import assert from 'node:assert/strict';
import type { TestApp } from './harness.ts';
import { cloudEvent, finding, pullRequest, pullRequestEvent } from './review-events.ts';

/** The fields of a pull request that decide which metrics lists show it. */
interface Listed {
  readonly orgId: string;
  readonly repositoryId?: string;
  readonly authorId?: string | null;
  /** The day on which it was merged or closed. */
  readonly date: string;
  readonly hasComments: boolean;
  readonly isMerged: boolean;
  readonly usesMcp: boolean;
}

/** The metrics lists by path, and whether they show a pull request. */
export const metricsLists: Readonly<Record<string, (one: Listed) => boolean>> = {
  'review-comments?': ({ isMerged, hasComments }) => isMerged && hasComments,
  'mcp?': ({ isMerged, usesMcp }) => isMerged && usesMcp,
  'reviews?': ({ isMerged }) => isMerged,
  'reviews?status=closed&': ({ isMerged }) => !isMerged,
  'reviews?status=all&': () => true,
};

/** Generates all combinations of the fields that decide membership, in turn. */
export const membershipOf = (serial: number) => ({
  hasComments: serial % 6 !== 0,
  isMerged: serial % 8 !== 0,
  usesMcp: serial % 2 === 0,
});

/** Reports the pull requests in their order, and returns them with their URLs. */
export async function reportPullRequests<One extends Listed>(
  server: Pick<TestApp, 'events'>,
  pullRequests: readonly One[],
): Promise<(One & { readonly url: string })[]> {
  const events: unknown[] = [];
  const reported = pullRequests.map((one) => {
    const data = pullRequest({
      org_id: one.orgId,
      ...(one.repositoryId !== undefined && { repository_id: one.repositoryId }),
      ...(one.authorId !== undefined && { author_id: one.authorId }),
      state: one.isMerged ? 'merged' : 'closed',
      [one.isMerged ? 'merged_at' : 'closed_at']: `${one.date}T23:00:00Z`,
      ...(!one.isMerged && { merged_at: null }),
      findings: one.hasComments ? [finding()] : [],
    });
    events.push(pullRequestEvent(data));
    if (one.usesMcp) {
      const servers = [{ name: 's', tools: [{ name: 't', calls: 1 }] }];
      events.push(cloudEvent('postil.mcp_usage', { org_id: one.orgId, pr_url: data.url, servers }));
    }
    return { ...one, url: data.url };
  });
  const answer = await server.events(events);
  assert.equal(answer.json.accepted, events.length, answer.text);
  return reported;
}
