import { authorize, checkStillGranted, onlyOrganization, resolveScope } from '../access/org-scope.ts';
import type { Principal } from '../access/principal.ts';
import type { RateLimit } from '../access/rate-limit.ts';
import type { Session } from '../access/session.ts';
import { AppError } from '../lib/app-error.ts';
import {
  applyDecision,
  type Caller,
  callerWithKey,
  callerWithSession,
  checkOperatorToken,
  isFromSource,
  openSession,
  sourceOf,
} from './callers.ts';
import type {
  AccountEndpoint,
  Endpoint,
  KeyEndpoint,
  PlainEndpoint,
  Reply,
  RequestContext,
  SessionEndpoint,
  SourceEndpoint,
} from './endpoint.ts';
import type { PipelineDeps, PipelineRequest } from './pipeline-request.ts';
import { readInput, receiveBody } from './request/request-input.ts';
import { checkSameOrigin } from './request/same-origin.ts';

/** The context of a request, created when its body has arrived. */
function contextOf(deps: PipelineDeps, request: PipelineRequest): RequestContext {
  const { raw, body: requestBody, requestId, ipAddress } = request;
  return { now: deps.clock(), raw, requestBody, requestId, ipAddress };
}

/** The common path of keys and sessions: request shape, organizations, plan and right, then the verb. */
async function runForCaller(
  deps: PipelineDeps,
  endpoint: KeyEndpoint | SessionEndpoint,
  request: PipelineRequest,
  caller: Caller,
  chargeWritten?: RateLimit,
): Promise<Reply> {
  const { sql } = deps.database;
  const { access } = caller;
  const body = await receiveBody(endpoint, request.body, caller.principal.kind);
  // A body may take long to arrive, and the caller's rights may have changed meanwhile.
  const principal = body.wasAwaited ? await caller.refresh() : caller.principal;
  const { selection, ...input } = readInput(endpoint, request, body.bytes, {
    kind: principal.kind,
    access,
  });
  const scopeOf = (who: Principal) => resolveScope(sql, who, access, selection);
  const scope = authorize(await scopeOf(principal), endpoint.requires);
  if (chargeWritten !== undefined)
    applyDecision(
      await deps.rateLimiter.admit(chargeWritten, `organization:${onlyOrganization(scope).organization.id}`),
      request,
    );

  const binding = (filters: unknown) => [endpoint.operationId, scope.identity, filters];
  return endpoint.handle(
    {
      ...contextOf(deps, request),
      principal,
      scope,
      actor: caller.actorOf(principal),
      requestedOrgId: selection.orgId,
      mayLag: caller.mayLag,
      // Checked outside the transaction: its own change, such as giving up a role, must not count.
      confirmRights: async (organizationIds) =>
        checkStillGranted(scope, await scopeOf(await caller.refresh()), endpoint.requires, organizationIds),
      cursors: {
        issue: (filters, position) => deps.cursors.seal(binding(filters), position),
        read: (filters, cursor) => deps.cursors.open(binding(filters), cursor),
      },
    },
    input as never,
  );
}

/** The order of checks for a request with an API key. */
async function runKeyEndpoint(
  deps: PipelineDeps,
  endpoint: KeyEndpoint,
  request: PipelineRequest,
): Promise<Reply> {
  const { sources } = endpoint;
  if (sources !== undefined && isFromSource(deps, request)) {
    const handle: SourceEndpoint['handle'] = async (context, input) => {
      if (!context.source.types.has(sources.type))
        throw new AppError('FORBIDDEN', `The event source may not report ${sources.type}`);
      return sources.handle(context, input);
    };
    return runSourceEndpoint(deps, { ...endpoint, audience: 'source', handle }, request);
  }
  const caller = await callerWithKey(deps, endpoint, request);
  return runForCaller(deps, endpoint, request, caller, caller.isCharged ? undefined : endpoint.limit);
}

async function runSessionEndpoint(
  deps: PipelineDeps,
  endpoint: SessionEndpoint,
  request: PipelineRequest,
): Promise<Reply> {
  const caller = await callerWithSession(deps, endpoint, request);
  return runForCaller(deps, endpoint, { ...request, url: caller.url }, caller);
}

async function runAccountEndpoint(
  deps: PipelineDeps,
  endpoint: AccountEndpoint,
  request: PipelineRequest,
): Promise<Reply> {
  const opened = await openSession(deps, endpoint, request);
  const admitted = (session: Session) => {
    if (endpoint.isForInstallationAdmins && !session.isInstallationAdmin)
      throw new AppError('NOT_ADMIN', 'Only admins of the installation can do this');
    return session;
  };
  const refresh = async () => admitted(await opened.refresh());
  const initial = admitted(opened.session);
  const body = await receiveBody(endpoint, request.body);
  const session = body.wasAwaited ? await refresh() : initial;
  const { selection: _, ...input } = readInput(endpoint, request, body.bytes);
  const confirmRights = async () => void (await refresh());
  return endpoint.handle({ ...contextOf(deps, request), session, confirmRights }, input as never);
}

async function runSourceEndpoint(
  deps: PipelineDeps,
  endpoint: SourceEndpoint,
  request: PipelineRequest,
): Promise<Reply> {
  const source = await sourceOf(deps, endpoint, request);
  const body = await receiveBody(endpoint, request.body);
  const { selection: _, ...input } = readInput(endpoint, request, body.bytes);
  return endpoint.handle({ ...contextOf(deps, request), source }, input as never);
}

async function runPlainEndpoint(
  deps: PipelineDeps,
  endpoint: PlainEndpoint,
  request: PipelineRequest,
): Promise<Reply> {
  if (endpoint.audience === 'operator') {
    checkOperatorToken(request.headers, deps.operatorToken);
    request.body.countFor(deps.bodyMemory, 'operator', '');
  } else request.body.countFor(deps.bodyMemory, 'address', request.ipAddress ?? '');
  if (endpoint.audience === 'public')
    checkSameOrigin(endpoint.method, request.headers, deps.dashboard.publicUrl);
  const body = await receiveBody(endpoint, request.body);
  const { selection: _, ...input } = readInput(endpoint, request, body.bytes);
  return endpoint.handle(contextOf(deps, request), input as never);
}

function run(deps: PipelineDeps, endpoint: Endpoint, request: PipelineRequest): Promise<Reply> {
  switch (endpoint.audience) {
    case 'key':
      return runKeyEndpoint(deps, endpoint, request);
    case 'session':
      return runSessionEndpoint(deps, endpoint, request);
    case 'account':
      return runAccountEndpoint(deps, endpoint, request);
    case 'source':
      return runSourceEndpoint(deps, endpoint, request);
    default:
      return runPlainEndpoint(deps, endpoint, request);
  }
}

/** Runs all checks of a request, then the endpoint's verb. Throws an AppError if the request is refused. */
export async function runPipeline(
  deps: PipelineDeps,
  endpoint: Endpoint,
  request: PipelineRequest,
): Promise<Reply> {
  try {
    return await run(deps, endpoint, request);
  } finally {
    request.body.end();
  }
}
