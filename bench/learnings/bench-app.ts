import { createApp } from '../../src/app.ts';
import type { Embedder } from '../../src/capabilities/learnings/embedding/embedder.ts';
import type { ConnectionTarget, Database } from '../../src/db/database.ts';
import { createLog } from '../../src/lib/log.ts';
import { createTestDeps } from '../../test/test-deps.ts';

const operatorToken = 'operator-token-of-the-bench';

const repositories = ['batch', 'search', 'export', 'large'] as const;
export type Repository = (typeof repositories)[number];

/** The id of a repository at the Git provider. */
export function repositoryId(name: Repository): string {
  return String(repositories.indexOf(name));
}

/** A request that must succeed. */
export type Send = (
  method: string,
  route: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it expects
) => Promise<{ readonly text: string; readonly json: any }>;

/** The server in this process, listening, with a platform and an admin's key that `send` uses. */
export interface BenchApp {
  readonly send: Send;
  close(): Promise<void>;
}

/** Starts the server with an embedder. */
export type StartApp = (embedder: Embedder) => Promise<BenchApp>;

export async function startApp(
  database: Database,
  target: ConnectionTarget,
  embedder: Embedder,
): Promise<BenchApp> {
  const app = await createApp({
    ...createTestDeps(target, () => []),
    database,
    clock: () => new Date(),
    log: createLog('error'),
    embedder,
    operatorToken,
    settings: { metricsPerMinute: 60, apiKeyHeaderAliases: [] },
  });
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 });
  let key = '';
  const send: Send = async (method, route, body) => {
    const response = await fetch(url + route, {
      method,
      headers: {
        'x-service-api-key': key,
        authorization: `Bearer ${operatorToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
    return { text, json: text === '' ? undefined : JSON.parse(text) };
  };
  key = await makePlatform(send);
  return { send, close: () => app.close() };
}

async function makePlatform(send: Send): Promise<string> {
  const members = [{ user_id: '1', username: 'bench', email: 'bench@acme.test', role: 'cr_admin' }];
  const identity = { provider: 'github', provider_organization_id: '1', name: 'bench' };
  const organization = {
    ...identity,
    plan: 'enterprise',
    subscription: 'active',
    repositories: repositories.map((name) => ({ provider_repository_id: repositoryId(name), name })),
    members,
  };
  await send('PUT', '/operator/v1/platform', { organizations: [organization] });
  const request = { kind: 'organization', name: 'bench', provider: 'github', org_id: '1', owner: '1' };
  return (await send('POST', '/operator/v1/keys', request)).json.value;
}
