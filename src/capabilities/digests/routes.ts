import { type Endpoint, publicEndpoint, sessionEndpoint, signedEndpoint } from '../../http/endpoint.ts';
import { changeDigest, createDigest, type DigestDeps, removeDigest } from './change-digest.ts';
import { listDigests } from './list-digests.ts';
import { previewDigest, readDigest } from './read-digest.ts';
import {
  contentQuery,
  digestChange,
  digestPage,
  digestPath,
  digestPreview,
  digestRequest,
  digestSettings,
  previewQuery,
  subscriptionQuery,
  testRequest,
  testResult,
  unsubscribed,
} from './schemas.ts';
import { type TestDeps, testDigest } from './test-digest.ts';
import { unsubscribe } from './unsubscribe.ts';

const tag = 'Dashboard';
const path = '/dashboard/v1/digests';
const maxFormBytes = 16 * 1024;

const common = { tag, access: { user: 'own', workspace: 'forbidden' } } as const;
const reading = { ...common, requires: { plan: 'enterprise', right: 'none' } } as const;
const managing = { ...common, requires: { plan: 'enterprise', right: 'admin' } } as const;

/** The page that shows a week, for everybody in the organization. */
function contentEndpoint(deps: TestDeps): Endpoint {
  return sessionEndpoint({
    ...reading,
    operationId: 'readDigest',
    method: 'GET',
    path: `${path}/content`,
    summary: 'A week of the organization or of a team: merged, found, fixed, stuck, spent',
    query: contentQuery,
    errors: ['NOT_FOUND', 'METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'RESPONSE_TOO_LARGE'],
    responses: { 200: { description: 'The week', json: digestPage } },
    handle: async (context, { query }) => ({
      json: await readDigest(deps, context, { teamId: query.team_id, endDate: query.end_date }),
    }),
  });
}

/** Settings of digests, for admins. */
function settingEndpoints(deps: DigestDeps & TestDeps): Endpoint[] {
  const list = async (context: Parameters<typeof listDigests>[1]) => ({
    json: await listDigests({ ...deps, hasMail: deps.mailer !== undefined }, context),
  });
  const responses = { 200: { description: 'The digests as they are now', json: digestSettings } };
  return [
    sessionEndpoint({
      ...managing,
      operationId: 'listDigests',
      method: 'GET',
      path,
      summary: 'The digests of the organization and what became of the newest',
      responses,
      handle: list,
    }),
    sessionEndpoint({
      ...managing,
      operationId: 'createDigest',
      method: 'POST',
      path,
      summary: 'Set up a weekly digest of the organization or of a team',
      body: digestRequest,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 201: { description: 'The digests as they are now', json: digestSettings } },
      async handle(context, { body }) {
        await createDigest(deps, context, body);
        return { status: 201, ...(await list(context)) };
      },
    }),
    sessionEndpoint({
      ...managing,
      operationId: 'changeDigest',
      method: 'PATCH',
      path: `${path}/{id}`,
      summary: 'Change when a digest is sent and where to',
      params: digestPath,
      body: digestChange,
      errors: ['NOT_FOUND'],
      responses,
      async handle(context, { params, body }) {
        await changeDigest(deps, context, params.id, body);
        return list(context);
      },
    }),
    sessionEndpoint({
      ...managing,
      operationId: 'removeDigest',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Remove a digest and what it said',
      params: digestPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'Removed' } },
      async handle(context, { params }) {
        await removeDigest(deps, context, params.id);
        return { status: 204 };
      },
    }),
    sessionEndpoint({
      ...managing,
      operationId: 'testDigest',
      method: 'POST',
      path: `${path}/{id}/test`,
      summary: 'Send what the digest would say now, by mail to oneself or to its chat',
      params: digestPath,
      body: testRequest,
      errors: ['NOT_FOUND', 'CONFLICT', 'METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'RESPONSE_TOO_LARGE'],
      responses: { 200: { description: 'What came of it', json: testResult } },
      handle: async (context, { params, body }) => ({
        json: await testDigest(deps, context, params.id, body.channel),
      }),
    }),
    sessionEndpoint({
      ...managing,
      operationId: 'previewDigest',
      method: 'GET',
      path: `${path}/preview`,
      summary: 'What a digest would say now, as a mail and for both chats',
      query: previewQuery,
      errors: ['NOT_FOUND', 'METRICS_UNAVAILABLE', 'METRICS_PREPARING', 'RESPONSE_TOO_LARGE'],
      responses: { 200: { description: 'Every format', json: digestPreview } },
      handle: async (context, { query }) => ({ json: await previewDigest(deps, context, query.team_id) }),
    }),
  ];
}

/** The endpoints behind the links and headers of mails, which need no session. */
function unsubscribeEndpoints(deps: DigestDeps & TestDeps): Endpoint[] {
  return [
    publicEndpoint({
      operationId: 'openUnsubscribePage',
      method: 'GET',
      path: `${path}/unsubscribe`,
      tag,
      summary: 'Leads to the page that asks before anything changes: programs that check links open them too',
      query: subscriptionQuery,
      responses: { 302: { description: 'To the page' } },
      handle: async (_context, { query }) => ({
        status: 302,
        headers: {
          location: `/unsubscribe?token=${encodeURIComponent(query.token)}`,
          'cache-control': 'no-store',
        },
      }),
    }),
    signedEndpoint({
      operationId: 'unsubscribeFromDigest',
      method: 'POST',
      path: `${path}/unsubscribe`,
      tag,
      summary: 'Take the address of a mail out of its digest, with one click (RFC 8058)',
      query: subscriptionQuery,
      streams: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
      errors: ['INVALID_REQUEST', 'INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE'],
      responses: { 200: { description: 'No more mails go there', json: unsubscribed } },
      async handle({ requestBody, now, ipAddress, requestId }, { query }) {
        await requestBody.readWhole(maxFormBytes);
        return { json: await unsubscribe(deps, query.token, { now, ipAddress, requestId }) };
      },
    }),
  ];
}

export function digestEndpoints(deps: DigestDeps & TestDeps): Endpoint[] {
  return [contentEndpoint(deps), ...settingEndpoints(deps), ...unsubscribeEndpoints(deps)];
}
