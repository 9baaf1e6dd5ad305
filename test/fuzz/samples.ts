import assert from 'node:assert/strict';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { tools } from '../../src/mcp/tools.ts';
import { dashboardTable } from '../access-table.ts';
import { deliveryHeaders, toolCall } from '../api-examples/sample-requests.ts';
import { scenario } from '../api-examples/scenario.ts';
import { startScenarioServer } from '../api-examples/scenario-server.ts';
import type { Step } from '../api-examples/step.ts';
import type { TestApp } from '../harness.ts';
import { fromDashboard, signInAs } from '../session.ts';
import { type Described, Description } from './described-fields.ts';

/** A valid request of an operation, in parts that can be replaced one by one. */
export interface Sample {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly described: Described;
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the endpoint has the declaration and the verb of another one. */
  readonly isShared: boolean;
  /** Computes headers from the body as it is sent, such as its signature. */
  readonly signed: ((body: string | Buffer) => Record<string, string>) | undefined;
}

const scimSchema = { workspace: 'acme', id: 'urn:ietf:params:scim:schemas:core:2.0:User' };
/** Steps for operations without an example in the API description. */
const moreSteps: readonly Step[] = [
  { operation: 'readOpenApi' },
  { operation: 'readConfigurationSchema' },
  { operation: 'readProcessMetrics' },
  { operation: 'listFindings', as: 'user', query: 'limit=10' },
  { operation: 'listCheckOverrides', as: 'user', query: 'check=title&repository_ids=501&limit=10' },
  { operation: 'listCheckedPullRequests', as: 'user', query: 'state=failure&failed=title&limit=10' },
  { operation: 'readRepositoryChecks', as: 'user', query: 'repository_id=501' },
  { operation: 'measureChecks', as: 'user', query: 'start_date=2026-06-01&end_date=2026-06-15&limit=10' },
  { operation: 'listDependencies', as: 'user', query: 'ecosystem=npm&name=left&affected=true&limit=10' },
  { operation: 'listDependencyInventories', as: 'user', query: 'limit=10' },
  { operation: 'exportDependencies', as: 'user', query: 'repository_id=501' },
  {
    operation: 'releaseReview',
    as: 'user',
    path: ({ createReview }) => ({ id: createReview.id }),
    body: () => ({ finding_ids: ['00000000000000000000000000000000'] }),
  },
  {
    operation: 'fixReview',
    as: 'user',
    path: ({ createReview }) => ({ id: createReview.id }),
    body: () => ({}),
  },
  { operation: 'listScimSchemas', as: 'workspace', path: () => ({ workspace: 'acme' }) },
  { operation: 'readScimSchema', as: 'workspace', path: () => scimSchema },
];

/**
 * Operations that are always rejected here, because no review waits for release or has a pull request, and no dependencies were
 * read.
 */
const refused = new Set(['releaseReview', 'fixReview', 'exportDependencies']);

/** Endpoints that stream until the caller disconnects. */
const endless = new Set(['GET /dashboard/v1/review-progress']);

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Requests that remove data or sessions that others need come last: first reads, then changes, then deletions, then these. */
const last = ['/dashboard/v1/password', '/dashboard/v1/sign-out', '/operator/v1/platform'];
function rankOf({ endpoint: { method, path } }: Sample): number {
  if (method === 'GET') return 0;
  if (last.includes(path)) return 3 + last.indexOf(path);
  return method === 'DELETE' ? 2 : 1;
}

const paired = (query: string) => [...new URLSearchParams(query)] as [string, string][];

/** Starts a server with data for all operations, and returns a valid request of each. */
export async function collectSamples(): Promise<{
  app: TestApp;
  samples: Sample[];
  description: Description;
}> {
  const server = await startScenarioServer();
  const { app } = server;
  const description = new Description();
  const samples = new Map<string, Sample>();
  const add = (sample: Omit<Sample, 'name' | 'described'>) => {
    const name = nameOf(sample.endpoint);
    samples.set(name, { name, described: description.operation(sample.endpoint), ...sample });
  };

  const steps = [...scenario(server.hostUrl), ...moreSteps];
  for (const step of steps) {
    const request = await server.requestOf(step);
    const signed = step.headers === undefined ? undefined : deliveryHeaders;
    add({ ...request, query: paired(request.query), signed, isShared: false });
    // Deletions are not carried out, since later requests need the data.
    if (request.endpoint.method !== 'DELETE' && !refused.has(step.operation))
      await server.take(step, request);
  }

  const root = await signInAs(app, 'root@postil.test', { isInstallationAdmin: true });
  const [organization] = await app.database.sql<{ id: string }[]>`
    SELECT id FROM organizations WHERE provider_organization_id = '1001'`;
  const scope = ['scope', `organization:${organization!.id}`] as const;
  for (const endpoint of app.app.endpoints) {
    if (samples.has(nameOf(endpoint)) || endless.has(nameOf(endpoint))) continue;
    assert.ok(endpoint.path.startsWith('/dashboard/'), `${nameOf(endpoint)} has no sample`);
    const inApi = [...samples.values()].find(
      (sample) => sample.endpoint.operationId === endpoint.operationId,
    );
    const described = description.operation(endpoint);
    const given = inApi ?? samplePath(endpoint, described, description);
    const headers: Record<string, string> = { cookie: root.cookie, ...fromDashboard };
    if (given.body !== undefined) headers['content-type'] = 'application/json';
    const query = endpoint.audience === 'session' ? [...given.query, scope] : given.query;
    add({
      endpoint,
      params: given.params,
      query,
      body: given.body,
      headers,
      signed: undefined,
      isShared: inApi !== undefined,
    });
  }
  const all = [...samples.values(), ...toolCalls(samples.get('POST /mcp')!, description)];
  return { app, samples: all.sort((a, b) => rankOf(a) - rankOf(b)), description };
}

/** A call of each MCP tool; the API description does not describe their arguments. */
function toolCalls(sample: Sample, description: Description): Sample[] {
  return tools
    .filter(({ kinds }) => kinds.includes('user'))
    .map(({ name, properties, required }) => {
      const given = { type: 'object', properties, required };
      const params = { name, arguments: description.sampleOf(given) };
      const schema = { properties: { params: { properties: { arguments: given } } } };
      return {
        ...sample,
        name: `${sample.name} ${name}`,
        body: { ...toolCall, params },
        described: { ...sample.described, requestBody: { content: { 'application/json': { schema } } } },
      };
    });
}

/** The sample of the access table, or otherwise one generated from the description of the endpoint. */
function samplePath(
  endpoint: Endpoint,
  { parameters, requestBody }: Described,
  description: Description,
): Pick<Sample, 'params' | 'query' | 'body'> {
  const row = dashboardTable[nameOf(endpoint)];
  const [path = '', query = ''] = (row?.sample.path ?? '').split('?');
  const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  const known = new RegExp(`^${pattern}$`).exec(path)?.groups;
  const textOf = ({ schema }: (typeof parameters)[number]) => String(description.sampleOf(schema));
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
  return {
    params: known ?? Object.fromEntries(inPath.map((parameter) => [parameter.name, textOf(parameter)])),
    query:
      row === undefined ? inQuery.map((parameter) => [parameter.name, textOf(parameter)]) : paired(query),
    body: row?.sample.body ?? (schema === undefined ? undefined : description.sampleOf(schema)),
  };
}
