import assert from 'node:assert/strict';
import type { RepositoryKey } from '../src/capabilities/learnings/learning-record.ts';
import type { OrganizationId, RepositoryId } from '../src/lib/ids.ts';
import type { Schedule } from '../src/lib/schedule.ts';
import { type Answer, startTestApp, type TestApp, type TestOverrides } from './harness.ts';
import { freshId, sampleKeys, samplePlatform } from './sample-platform.ts';

type Fields = Record<string, unknown>;
type Caller = Pick<TestApp, 'call'>;

/** The sample platform with functions for tests of Learnings; requests use an admin's organization key. */
export interface LearningsFixture extends TestApp {
  readonly key: string;
  /** Posts items, by default for repository 501; never rate-limited. */
  post(items: readonly (Fields | string)[], on?: Caller): Promise<Answer>;
  /** Creates one Learning and returns its id. */
  create(item: Fields | string): Promise<string>;
  patch(id: string, learning: string): Promise<Answer>;
  remove(id: string): Promise<Answer>;
  /** The rows of the export with these parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
  list(parameters?: string): Promise<any[]>;
  /** The rows that a search of repository 501 finds. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  search(query: string, fields?: Fields, on?: Caller): Promise<any[]>;
  /** Sends one event of organization 1001, which must be accepted. */
  event(type: string, data: Fields, time?: Date): Promise<void>;
  /** A Learning captured in repository 501. */
  capture(learning: string, fields?: Fields, time?: Date): Promise<void>;
  runSchedule(name: 'learnings-index-repair' | 'learnings-lifecycle' | 'learnings-compare'): Promise<void>;
  /** The ids of a repository of organization 1001 in the database. */
  repository(providerRepositoryId: string): Promise<RepositoryKey>;
  /** The actions in the audit log, oldest first. */
  auditActions(): Promise<string[]>;
}

export function event(type: string, data: Fields, time: Date): Fields {
  return {
    specversion: '1.0',
    id: freshId(),
    source: 'test',
    type,
    time: time.toISOString(),
    data: { provider: 'github', org_id: '1001', ...data },
  };
}

/** Starts the app on the sample platform. */
export async function startLearnings(overrides: TestOverrides = {}): Promise<LearningsFixture> {
  const app = await startTestApp(overrides);
  await app.platform(samplePlatform());
  const key = await app.createKey(sampleKeys.organization);
  const item = (given: Fields | string) => ({
    repository_id: '501',
    ...(typeof given === 'string' ? { learning: given } : given),
  });
  const send = async (on: Caller, method: string, path: string, body?: unknown) => {
    await app.resetLimits();
    return on.call(method, path, { key, body });
  };
  const ok = (answer: Answer) => {
    assert.equal(answer.status, 200, answer.text);
    return answer.json.data;
  };
  const own = {
    key,
    post: (items: readonly (Fields | string)[], on: Caller = app) =>
      send(on, 'POST', '/v1/learnings', { data: items.map(item) }),
    async create(given: Fields | string) {
      const answer = await own.post([given]);
      assert.equal(answer.json.results[0].status, 'created', answer.text);
      return answer.json.results[0].id as string;
    },
    patch: (id: string, learning: string) => send(app, 'PATCH', `/v1/learnings/${id}`, { learning }),
    remove: (id: string) => send(app, 'DELETE', `/v1/learnings/${id}`),
    list: async (parameters = '') => ok(await send(app, 'GET', `/v1/learnings?${parameters}`)),
    search: async (query: string, fields: Fields = {}, on: Caller = app) =>
      ok(await send(on, 'POST', '/v1/learnings/search', { repository_id: '501', query, ...fields })),
    async event(type: string, data: Fields, time = app.now) {
      const answer = await app.events([event(type, data, time)]);
      assert.equal(answer.json.accepted, 1, answer.text);
    },
    capture: (learning: string, fields: Fields = {}, time = app.now) =>
      own.event(
        'postil.learning_captured',
        { repository_id: '501', learning, author_id: '9002', origin: 'chat', ...fields },
        time,
      ),
    async runSchedule(name: string) {
      const schedule = app.app.schedules.find((candidate: Schedule) => candidate.name === name);
      await schedule!.run(new AbortController().signal);
    },
    async repository(providerRepositoryId: string) {
      const [row] = await app.database.sql<{ organization_id: OrganizationId; id: RepositoryId }[]>`
        SELECT r.organization_id, r.id FROM repositories r JOIN organizations o ON o.id = r.organization_id
        WHERE o.provider_organization_id = '1001' AND r.provider_repository_id = ${providerRepositoryId}`;
      return { organizationId: row!.organization_id, repositoryId: row!.id };
    },
    async auditActions() {
      const rows = await app.database.sql<{ action: string }[]>`
        SELECT action FROM audit_entries WHERE resource_type = 'learning' ORDER BY chain_id, position`;
      return rows.map(({ action }) => action);
    },
  };
  return Object.assign(app, own);
}
