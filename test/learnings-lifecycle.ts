import { actorOf } from '../src/access/actor.ts';
import { authenticate } from '../src/access/authenticate.ts';
import { resolveScope } from '../src/access/org-scope.ts';
import type { PullRequestData } from '../src/capabilities/intake/pull-request-data.ts';
import type { approveLearnings } from '../src/capabilities/learnings/decide-learnings.ts';
import { pullRequestFollower } from '../src/capabilities/learnings/follow-pull-requests.ts';
import type { OrganizationId, RepositoryId } from '../src/lib/ids.ts';
import type { LearningsFixture } from './learnings-fixture.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What tests of a Learning's life do and look at, in organization 1001 and its repository 501. */
export function lifecycleOf(test: LearningsFixture) {
  const { sql } = test.database;
  const start = test.now;

  async function scopeOf(key: string) {
    const principal = await authenticate(sql, key, test.now);
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

    /** What a pull-request event does: the newest state is kept, then followers hear of it. */
    async tellPullRequest(number: number, state: PullRequestData['state'], time = test.now): Promise<void> {
      const [place] = await sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
        SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
        WHERE o.provider_organization_id = '1001' AND r.provider_repository_id = '501'`;
      const { organization_id: organizationId, id: repositoryId } = place!;
      await test.database.transaction(async (tx) => {
        await tx`
          INSERT INTO pull_requests AS p (organization_id, repository_id, number, url, state, created_at, event_time)
          VALUES (${organizationId}, ${repositoryId}, ${number}, 'u', ${state}, ${time}, ${time})
          ON CONFLICT (organization_id, repository_id, number) DO UPDATE
          SET state = excluded.state, event_time = excluded.event_time WHERE p.event_time < excluded.event_time`;
        const told = {
          time,
          organization: { id: organizationId },
          repository: { id: repositoryId },
          data: { number, state },
        };
        await pullRequestFollower.follow(tx, [told as never], { now: test.now } as never);
      });
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

    /** An admin's decision in the dashboard. */
    async decide(verb: typeof approveLearnings, ids: readonly string[], key = test.key) {
      const { principal, scope } = await scopeOf(key);
      const { id } = scope.organizations[0]!.organization;
      return verb(test, { scope, actor: actorOf(principal), now: test.now }, id, ids);
    },
  };
}
