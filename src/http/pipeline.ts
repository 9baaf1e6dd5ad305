import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isAccepted, type KeyAccess } from '../access/access-rule.ts';
import { type Actor, actorOf } from '../access/actor.ts';
import { type KeyKind, keyKinds } from '../access/api-key-value.ts';
import { authenticate } from '../access/authenticate.ts';
import type { KeyUsage } from '../access/key-usage.ts';
import { authorize, meansEveryOrganization, onlyOrganization, resolveScope } from '../access/org-scope.ts';
import type { Principal } from '../access/principal.ts';
import type { RateLimit, RateLimitDecision, RateLimiter } from '../access/rate-limit.ts';
import { authenticateSession, type Session } from '../access/session.ts';
import { parseView, principalOfSession } from '../access/session-principal.ts';
import type { Database } from '../db/database.ts';
import { AppError } from '../lib/app-error.ts';
import type { CursorCodec } from './cursor.ts';
import type {
  AccountEndpoint,
  Endpoint,
  KeyEndpoint,
  PlainEndpoint,
  Reply,
  RequestContext,
  SessionEndpoint,
} from './endpoint.ts';
import { defaultBodyBytes, readBody } from './request-body.ts';
import { queryOf, readInput } from './request-input.ts';
import { checkSameOrigin } from './same-origin.ts';
import { type DashboardAddress, readCookie } from './session-cookie.ts';

export interface PipelineDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly rateLimiter: RateLimiter;
  readonly cursors: CursorCodec;
  readonly keyUsage: KeyUsage;
  /** Header names that may carry the key, the contract's own first. */
  readonly keyHeaders: readonly string[];
  readonly operatorToken: string;
  readonly dashboard: DashboardAddress;
}

/** What the pipeline is given of a request, and where it leaves headers that go on every answer. */
export interface PipelineRequest {
  readonly raw: IncomingMessage;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly requestId: string;
  readonly ipAddress: string | null;
  setHeader(name: string, value: string): void;
  /** Names the caller for the log line of the request. */
  identify(caller: { keyId: string; kind: string }): void;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? undefined : header;
}

function keyValueOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  return names.map((name) => single(headers[name])).find((value) => value !== undefined);
}

function accessOf(endpoint: KeyEndpoint | SessionEndpoint, url: string): KeyAccess {
  const { accessWhen } = endpoint;
  if (accessWhen === undefined) return endpoint.access;
  return queryOf(url).has(accessWhen.queryParameter) ? accessWhen.access : endpoint.access;
}

// "organization, workspace and legacy keys that use [ALL] get a 400 error": the one look at a body before the kind is refused.
async function saysEveryOrganization(raw: IncomingMessage): Promise<boolean> {
  try {
    const body = JSON.parse((await readBody(raw, defaultBodyBytes)).toString());
    return meansEveryOrganization(body?.org_id);
  } catch {
    return false;
  }
}

async function checkKind(principal: Principal, access: KeyAccess, request: PipelineRequest): Promise<void> {
  const rule = access[principal.kind];
  if (rule === 'gone_unless_every' && (await saysEveryOrganization(request.raw))) {
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

/** The kinds of keys that an endpoint charges as soon as they are known: not those that it will refuse. */
function chargedKinds({ limit }: KeyEndpoint, access: KeyAccess): KeyKind[] {
  // A key that can write to several organizations is charged once the one is known.
  const isLate = (kind: KeyKind) =>
    limit.per === 'written_organization' && (kind === 'workspace' || kind === 'instance');
  return keyKinds.filter((kind) => isAccepted(access, kind) && !isLate(kind));
}

function obey(decision: RateLimitDecision, request: PipelineRequest): void {
  request.setHeader('x-ratelimit-limit', String(decision.limit));
  request.setHeader('x-ratelimit-remaining', String(decision.remaining));
  request.setHeader('x-ratelimit-reset', String(decision.resetAtSeconds));
  if (decision.admitted) return;
  const message = `More than ${decision.limit} requests in 60 seconds`;
  throw new AppError('RATE_LIMIT_EXCEEDED', message, decision.retryAfterSeconds);
}

interface Caller {
  readonly principal: Principal;
  readonly actor: Actor;
  readonly access: KeyAccess;
}

/** From the shape of the request on, keys and sessions go one way: shape, organizations, plan and right, then the verb. */
async function runForCaller(
  deps: PipelineDeps,
  endpoint: KeyEndpoint | SessionEndpoint,
  request: PipelineRequest,
  base: RequestContext,
  { principal, actor, access }: Caller,
  chargeWritten?: RateLimit,
): Promise<Reply> {
  const { sql } = deps.database;
  const { selection, ...input } = await readInput(endpoint, request, { kind: principal.kind, access });
  const scope = authorize(await resolveScope(sql, principal, access, selection), endpoint.requires);
  if (chargeWritten !== undefined)
    obey(
      await deps.rateLimiter.admit(chargeWritten, `organization:${onlyOrganization(scope).organization.id}`),
      request,
    );

  const binding = (filters: unknown) => [endpoint.operationId, scope.identity, filters];
  return endpoint.handle(
    {
      ...base,
      principal,
      scope,
      actor,
      requestedOrgId: selection.orgId,
      cursors: {
        issue: (filters, position) => deps.cursors.seal(binding(filters), position),
        read: (filters, cursor) => deps.cursors.open(binding(filters), cursor),
      },
    },
    input as never,
  );
}

/** The one order of checks for every request with an API key. */
async function runKeyEndpoint(
  deps: PipelineDeps,
  endpoint: KeyEndpoint,
  request: PipelineRequest,
  base: RequestContext,
): Promise<Reply> {
  const keyValue = keyValueOf(request.headers, deps.keyHeaders);
  const { limit } = endpoint;
  const access = accessOf(endpoint, request.url);
  const { principal, decision } = await authenticate(deps.database.sql, keyValue, base.now, {
    limiter: deps.rateLimiter,
    limit,
    kinds: chargedKinds(endpoint, access),
  });
  request.identify(principal);
  deps.keyUsage.record(principal.keyId, base.now);
  await checkKind(principal, access, request);
  if (decision !== undefined) obey(decision, request);
  const caller = { principal, access, actor: actorOf(principal) };
  return runForCaller(deps, endpoint, request, base, caller, decision === undefined ? limit : undefined);
}

// A person clicking never reaches it; the limits of the API stay for keys.
const dashboardLimit: RateLimit = { bucket: 'dashboard', perMinute: 600, per: 'key' };

async function openSession(
  deps: PipelineDeps,
  endpoint: SessionEndpoint | AccountEndpoint,
  request: PipelineRequest,
  now: Date,
): Promise<Session> {
  const cookie = readCookie(request.headers, 'postil_session', deps.dashboard);
  const session = await authenticateSession(deps.database.sql, cookie, now);
  request.identify({ keyId: session.personId, kind: 'session' });
  request.setHeader('cache-control', 'no-store');
  checkSameOrigin(endpoint.method, request.headers, deps.dashboard.publicUrl);
  obey(await deps.rateLimiter.admit(dashboardLimit, `person:${session.personId}`), request);
  return session;
}

/** Takes `scope`, which says what the person looks at, out of the address. */
function takeView(url: string) {
  const query = queryOf(url);
  const named = query.getAll('scope');
  query.delete('scope');
  return {
    view: parseView(named.length === 1 ? named[0] : undefined),
    rest: `${url.split('?', 1)[0]}?${query}`,
  };
}

async function runSessionEndpoint(
  deps: PipelineDeps,
  endpoint: SessionEndpoint,
  request: PipelineRequest,
  base: RequestContext,
): Promise<Reply> {
  const session = await openSession(deps, endpoint, request, base.now);
  const { view, rest } = takeView(request.url);
  const principal = await principalOfSession(deps.database.sql, session, view);
  const access = accessOf(endpoint, rest);
  await checkKind(principal, access, request);
  const actor = { ...actorOf(principal), subtitle: 'Dashboard' };
  return runForCaller(deps, endpoint, { ...request, url: rest }, base, { principal, access, actor });
}

async function runAccountEndpoint(
  deps: PipelineDeps,
  endpoint: AccountEndpoint,
  request: PipelineRequest,
  base: RequestContext,
): Promise<Reply> {
  const session = await openSession(deps, endpoint, request, base.now);
  const { selection: _, ...input } = await readInput(endpoint, request, undefined);
  return endpoint.handle({ ...base, session }, input as never);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checkOperatorToken(headers: IncomingHttpHeaders, token: string): void {
  const match = /^Bearer (.+)$/i.exec(single(headers.authorization) ?? '');
  if (match === null || !timingSafeEqual(digest(match[1]!), digest(token))) {
    throw new AppError('UNAUTHORIZED', 'The operator token is missing or wrong');
  }
}

async function runPlainEndpoint(
  deps: PipelineDeps,
  endpoint: PlainEndpoint,
  request: PipelineRequest,
  base: RequestContext,
): Promise<Reply> {
  if (endpoint.audience === 'operator') checkOperatorToken(request.headers, deps.operatorToken);
  else checkSameOrigin(endpoint.method, request.headers, deps.dashboard.publicUrl);
  const { selection: _, ...input } = await readInput(endpoint, request, undefined);
  return endpoint.handle(base, input as never);
}

/** Runs one request through every check and the endpoint's verb; what is refused is thrown as an AppError. */
export async function runPipeline(
  deps: PipelineDeps,
  endpoint: Endpoint,
  request: PipelineRequest,
): Promise<Reply> {
  const base: RequestContext = {
    now: deps.clock(),
    requestId: request.requestId,
    ipAddress: request.ipAddress,
    raw: request.raw,
  };
  switch (endpoint.audience) {
    case 'key':
      return runKeyEndpoint(deps, endpoint, request, base);
    case 'session':
      return runSessionEndpoint(deps, endpoint, request, base);
    case 'account':
      return runAccountEndpoint(deps, endpoint, request, base);
    default:
      return runPlainEndpoint(deps, endpoint, request, base);
  }
}
