import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isAccepted, type KeyAccess } from '../access/access-rule.ts';
import { type Actor, actorOf } from '../access/actor.ts';
import { isSourceValue, type KeyKind, keyKinds } from '../access/api-key-value.ts';
import { authenticateSource, type EventSource } from '../access/authenticate-source.ts';
import { meansEveryOrganization } from '../access/org-scope.ts';
import type { Principal } from '../access/principal.ts';
import type { RateLimit, RateLimitDecision } from '../access/rate-limit.ts';
import { authenticateSession, authenticateSessionAgain, type Session } from '../access/session.ts';
import { parseView, principalOfSession } from '../access/session-principal.ts';
import { AppError } from '../lib/app-error.ts';
import { checkJsonSize, parseJson } from '../lib/wire/parse-json.ts';
import { maxJsonDepth } from '../lib/wire/unstorable-text.ts';
import type { AccountEndpoint, KeyEndpoint, SessionEndpoint, SourceEndpoint } from './endpoint.ts';
import type { PipelineDeps, PipelineRequest } from './pipeline-request.ts';
import { bearerOf, keyValueOf } from './request/key-header.ts';
import { defaultBodyBytes, type RequestBody } from './request/request-body.ts';
import { queryOf } from './request/request-input.ts';
import { checkSameOrigin } from './request/same-origin.ts';
import { readCookie, writeCookie } from './request/session-cookie.ts';

/** The caller, with the rights they had when the request arrived. */
export interface Caller {
  readonly principal: Principal;
  readonly access: KeyAccess;
  /** Whether their reads may miss the latest changes, so that a replica can serve them. */
  readonly mayLag: boolean;
  /** Checks again and returns the current rights, or throws UNAUTHORIZED; does not count toward the rate limit. */
  refresh(): Promise<Principal>;
  actorOf(principal: Principal): Actor;
}

function accessOf(endpoint: KeyEndpoint | SessionEndpoint, url: string): KeyAccess {
  const { accessWhen } = endpoint;
  if (accessWhen === undefined) return endpoint.access;
  return queryOf(url).has(accessWhen.queryParameter) ? accessWhen.access : endpoint.access;
}

/** More than any otherwise valid request has. */
const maxEntriesBeforeRejection = 10_000;

// A legacy key with the org_id ALL gets 400 instead of 410: the only case in which a body is read before the kind of key is rejected.
async function namesEveryOrganization(requestBody: RequestBody): Promise<boolean> {
  try {
    const bytes = await requestBody.readWhole(defaultBodyBytes);
    checkJsonSize(bytes, { maxDepth: maxJsonDepth, maxEntries: maxEntriesBeforeRejection });
    const body = parseJson(bytes) as { org_id?: unknown } | null;
    return meansEveryOrganization(body?.org_id);
  } catch {
    return false;
  }
}

async function checkKind(principal: Principal, access: KeyAccess, request: PipelineRequest): Promise<void> {
  const rule = access[principal.kind];
  if (rule === 'gone_unless_every' && (await namesEveryOrganization(request.body))) {
    throw new AppError('INVALID_REQUEST', 'org_id: ALL is valid only with self-hosted instance keys');
  }
  if (rule === 'gone' || rule === 'gone_unless_every') {
    throw new AppError(
      'LEGACY_API_KEY',
      'Legacy API keys are no longer accepted here; create a new key and try again',
    );
  }
  if (rule === 'forbidden') {
    throw new AppError('KEY_TYPE_FORBIDDEN', `A key of kind ${principal.kind} is not accepted here`);
  }
  if (principal.kind === 'legacy') request.setHeader('deprecation', 'true');
}

/** The kinds of keys that are charged at authentication: all that the endpoint accepts, unless they are charged later. */
function chargedKinds({ limit }: KeyEndpoint, access: KeyAccess): KeyKind[] {
  // A key that can write to several organizations is charged once the organization is known.
  const isLate = (kind: KeyKind) =>
    limit.per === 'written_organization' && (kind === 'workspace' || kind === 'instance');
  return keyKinds.filter((kind) => isAccepted(access, kind) && !isLate(kind));
}

/** Sets the rate-limit headers, and throws RATE_LIMIT_EXCEEDED if the request was not admitted. */
export function applyDecision(decision: RateLimitDecision, request: PipelineRequest): void {
  request.setHeader('x-ratelimit-limit', String(decision.limit));
  request.setHeader('x-ratelimit-remaining', String(decision.remaining));
  request.setHeader('x-ratelimit-reset', String(decision.resetAtSeconds));
  if (decision.admitted) return;
  const message = `More than ${decision.limit} requests in 60 seconds`;
  throw new AppError('RATE_LIMIT_EXCEEDED', message, decision.retryAfterSeconds);
}

function tenantOf(principal: Principal): string {
  switch (principal.kind) {
    case 'workspace':
      return principal.workspace.id;
    case 'instance':
      return principal.instance.id;
    default:
      return principal.access.organization.id;
  }
}

/**
 * The owner of the API key, after checking the key, its kind and the rate limit. `isCharged` is false if the organization to
 * charge is not known yet.
 */
export async function callerWithKey(
  deps: PipelineDeps,
  endpoint: KeyEndpoint,
  request: PipelineRequest,
): Promise<Caller & { readonly isCharged: boolean }> {
  const keyValue =
    keyValueOf(request.headers, deps.keyHeaders) ??
    (endpoint.acceptsBearer ? bearerOf(request.headers) : undefined);
  const access = accessOf(endpoint, request.url);
  const now = deps.clock();
  const { principal, decision } = await deps.keys.authenticate(keyValue, now, {
    limit: endpoint.limit,
    kinds: chargedKinds(endpoint, access),
  });
  request.identify(principal);
  request.body.countFor(deps.bodyMemory, 'tenant', tenantOf(principal));
  deps.keyUsage.record(principal.keyId, now);
  await checkKind(principal, access, request);
  if (decision !== undefined) applyDecision(decision, request);
  return {
    principal,
    access,
    mayLag: true,
    actorOf,
    isCharged: decision !== undefined,
    refresh: () => deps.keys.authenticateAgain(keyValue, deps.clock()),
  };
}

// Higher than anybody reaches by clicking. The API's own limits apply to keys only.
const dashboardLimit: RateLimit = { bucket: 'dashboard', perMinute: 600, per: 'tenant' };

const changeMarginSeconds = 5;

/** Sets a cookie that tells every node that the person has changed something which a replica may not have yet. */
function expectChange({ maxLagMs, dashboard }: PipelineDeps, request: PipelineRequest): void {
  if (maxLagMs === 0) return;
  const seconds = Math.ceil(maxLagMs / 1000) + changeMarginSeconds;
  request.setHeader('set-cookie', writeCookie('postil_changed', '1', seconds, dashboard));
}

/** The session of a signed-in person, and a way to check it again later in the request. */
export async function openSession(
  deps: PipelineDeps,
  endpoint: SessionEndpoint | AccountEndpoint,
  request: PipelineRequest,
): Promise<{ readonly session: Session; refresh(): Promise<Session> }> {
  const { sql } = deps.database;
  const cookie = readCookie(request.headers, 'postil_session', deps.dashboard);
  const session = await authenticateSession(sql, cookie, deps.clock());
  request.identify({ keyId: session.personId, kind: 'session' });
  request.body.countFor(deps.bodyMemory, 'tenant', session.personId);
  checkSameOrigin(endpoint.method, request.headers, deps.dashboard.publicUrl);
  applyDecision(await deps.rateLimiter.admit(dashboardLimit, `person:${session.personId}`), request);
  if (endpoint.method !== 'GET') expectChange(deps, request);
  return { session, refresh: () => authenticateSessionAgain(sql, cookie, deps.clock()) };
}

/** Removes the parameter `scope`, which names the organization or workspace being viewed, from the URL. */
function takeView(url: string) {
  const query = queryOf(url);
  const named = query.getAll('scope');
  query.delete('scope');
  return {
    view: parseView(named.length === 1 ? named[0] : undefined),
    rest: `${url.split('?', 1)[0]}?${query}`,
  };
}

/** A signed-in person, acting in the organization or workspace that they are viewing; `url` is the URL without `scope`. */
export async function callerWithSession(
  deps: PipelineDeps,
  endpoint: SessionEndpoint,
  request: PipelineRequest,
): Promise<Caller & { readonly url: string }> {
  const { sql } = deps.database;
  const { session, refresh } = await openSession(deps, endpoint, request);
  const { view, rest: url } = takeView(request.url);
  const principal = await principalOfSession(sql, session, view);
  const access = accessOf(endpoint, url);
  await checkKind(principal, access, request);
  return {
    principal,
    access,
    mayLag: readCookie(request.headers, 'postil_changed', deps.dashboard) === undefined,
    url,
    actorOf: (person) => ({ ...actorOf(person), subtitle: 'Dashboard' }),
    refresh: async () => principalOfSession(sql, await refresh(), view),
  };
}

function sourceValueOf({ keyHeaders }: PipelineDeps, { headers }: PipelineRequest): string | undefined {
  return keyValueOf(headers, keyHeaders) ?? bearerOf(headers);
}

/** Whether the request has the key of an event source instead of an API key. */
export function isFromSource(deps: PipelineDeps, request: PipelineRequest): boolean {
  return isSourceValue(sourceValueOf(deps, request) ?? '');
}

/** The event source that is sending, after checking its limit. */
export async function sourceOf(
  deps: PipelineDeps,
  { limit }: SourceEndpoint,
  request: PipelineRequest,
): Promise<EventSource> {
  const value = sourceValueOf(deps, request);
  const { source, decision } = await authenticateSource(deps.database.sql, value, deps.clock(), {
    limiter: deps.rateLimiter,
    limit,
  });
  request.identify({ keyId: source.id, kind: 'source' });
  request.body.countFor(deps.bodyMemory, 'tenant', source.id);
  applyDecision(decision, request);
  return source;
}

/** Tokens are compared by their digests, which have the same length, so that the duration reveals nothing about the token. */
export function digestOfToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Throws UNAUTHORIZED for anybody but the operator. */
export function checkOperatorToken(headers: IncomingHttpHeaders, expected: Buffer): void {
  const given = bearerOf(headers);
  if (given === undefined || !timingSafeEqual(digestOfToken(given), expected)) {
    throw new AppError('UNAUTHORIZED', 'The operator token is missing or incorrect');
  }
}
