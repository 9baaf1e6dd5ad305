import { actorOf } from '../src/access/actor.ts';
import { createKeyAuthenticator } from '../src/access/authenticate.ts';
import { resolveScope } from '../src/access/org-scope.ts';
import { createRateLimiter } from '../src/access/rate-limit.ts';
import type { approveLearnings } from '../src/capabilities/learnings/lifecycle/decide-learnings.ts';
import {
  type PullRequestData,
  pullRequestEventType,
} from '../src/capabilities/pull-requests/pull-request-data.ts';
import type { LearningsFixture } from './learnings-fixture.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Functions that tests of a Learning's lifecycle share, for organization 1001 and its repository 501. */
export function lifecycleOf(test: LearningsFixture) {
  const { sql } = test.database;
  const start = test.now;

  async function scopeOf(key: string) {
    const keys = createKeyAuthenticator(sql, createRateLimiter(sql));
    const principal = await keys.authenticateAgain(key, test.now);
    return { principal, scope: await resolveScope(sql, principal, {} as never, {}) };
  }

  return {
    scopeOf,
    after: (days: number) => new Date(start.getTime() + days * dayMs),

    async setDelays(organizationDays: number, repositoryDays: number | null): Promise<void> {
      const repositories = [{ provider_repository_id: '501', approval_delay_days: repositoryDays }];
      const identity = { provider: 'github', provider_organization_id: '1001' };
      await test.platform({
        organizations: [{ ...identity, approval_delay_days: organizationDays, repositories }],
      });
    },

    /** Sends the event of the Git provider about a pull request of repository 501. */
    async reportPullRequest(number: number, state: PullRequestData['state'], time = test.now): Promise<void> {
      const created_at = start.toISOString();
      const ended = state === 'merged' ? { merged_at: time.toISOString() } : {};
      const url = `https://github.test/acme/api/pull/${number}`;
      const data = { repository_id: '501', number, url, state, created_at, ...ended };
      await test.event(pullRequestEventType, data, time);
    },

    async stateOf(text: string) {
      const [row] = await sql`
        SELECT origin, visibility, approval, pull_requests, approval_deadline, id, created_at, author_id
        FROM learnings WHERE learning = ${text}`;
      return row;
    },

    isExported: async (text: string) => (await test.list()).some((row) => row.learning === text),

    async isFound(text: string, pullRequest?: number): Promise<boolean> {
      const fields = pullRequest === undefined ? {} : { pull_request: pullRequest };
      return (await test.search(text, { limit: 50, ...fields })).some((row) => row.learning === text);
    },

    /** Decides about Learnings, like an admin in the dashboard. */
    async decide(verb: typeof approveLearnings, ids: readonly string[], key = test.key) {
      const { principal, scope } = await scopeOf(key);
      const { id } = scope.organizations[0]!.organization;
      return verb(test, { scope, actor: actorOf(principal), now: test.now }, id, ids);
    },
  };
}
