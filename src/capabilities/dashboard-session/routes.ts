import { parseView } from '../../access/session-principal.ts';
import {
  accountEndpoint,
  type Endpoint,
  publicEndpoint,
  type Reply,
  type RequestContext,
  sessionEndpoint,
} from '../../http/endpoint.ts';
import { queryOf } from '../../http/request/request-input.ts';
import { readCookie, writeCookie } from '../../http/request/session-cookie.ts';
import { AppError } from '../../lib/app-error.ts';
import { acceptInvitation, readInvitation } from './accounts/accept-invitation.ts';
import { changePassword } from './accounts/change-password.ts';
import { inviteMember } from './accounts/invite-member.ts';
import type { DashboardDeps, SignedIn, SignInOrigin } from './deps.ts';
import { describeSession } from './describe-session.ts';
import { describeSignInOptions } from './describe-sign-in-options.ts';
import { findPlace, listPlaces } from './list-places.ts';
import {
  acceptRequest,
  invitationRequest,
  invitationResponse,
  inviteResponse,
  memberInviteRequest,
  passwordRequest,
  placePath,
  places,
  placesQuery,
  sessionDescription,
  signInOptions,
  signInRequest,
  signOutRequest,
  ssoCallbackQuery,
  ssoQuery,
} from './schemas.ts';
import { isUnavailable } from './sign-in/identity-provider.ts';
import { deviceSeconds } from './sign-in/known-places.ts';
import { signIn } from './sign-in/sign-in.ts';
import { signOut } from './sign-in/sign-out.ts';
import {
  beginSingleSignOn,
  callbackPath,
  finishSingleSignOn,
  flowSeconds,
} from './sign-in/single-sign-on.ts';
import { sessionSeconds } from './sign-in/start-session.ts';

const tag = 'Dashboard';

function redirect(location: string, ...cookies: string[]): Reply {
  return { status: 302, headers: { location, 'set-cookie': cookies, 'cache-control': 'no-store' } };
}

/** The endpoints for signing in to and out of the dashboard. */
export function dashboardSessionEndpoints(
  deps: DashboardDeps & { log: { warn(fields: object, message: string): void } },
): Endpoint[] {
  const cookieSettings = deps.settings ?? {};
  const originOf = (context: RequestContext): SignInOrigin => ({
    now: context.now,
    ipAddress: context.ipAddress,
    requestId: context.requestId,
    device: readCookie(context.raw.headers, 'postil_device', cookieSettings),
  });
  const cookiesOf = ({ session, device }: SignedIn) => [
    writeCookie('postil_session', session, sessionSeconds, cookieSettings),
    writeCookie('postil_device', device, deviceSeconds, cookieSettings),
  ];
  const signedIn = (cookies: SignedIn): Reply => ({
    status: 204,
    headers: { 'set-cookie': cookiesOf(cookies) },
  });
  const signedOut = (): Reply => ({
    status: 204,
    headers: { 'set-cookie': writeCookie('postil_session', '', 0, cookieSettings) },
  });
  return [
    publicEndpoint({
      operationId: 'readSignInOptions',
      method: 'GET',
      path: '/dashboard/v1/sign-in',
      tag,
      summary: 'Get the ways to sign in',
      responses: { 200: { description: 'The options', json: signInOptions } },
      async handle(context) {
        const cookie = readCookie(context.raw.headers, 'postil_session', cookieSettings);
        return { json: await describeSignInOptions(deps, cookie, context.now) };
      },
    }),
    publicEndpoint({
      operationId: 'signIn',
      method: 'POST',
      path: '/dashboard/v1/sign-in',
      tag,
      summary: 'Sign in with email and password',
      body: signInRequest,
      responses: { 204: { description: 'Signed in' } },
      handle: async (context, { body }) => signedIn(await signIn(deps, body, originOf(context))),
    }),
    publicEndpoint({
      operationId: 'readInvitation',
      method: 'POST',
      path: '/dashboard/v1/invitations/read',
      tag,
      summary: 'Get whom an invitation is for',
      body: invitationRequest,
      responses: { 200: { description: 'The person', json: invitationResponse } },
      handle: async (context, { body }) => ({
        json: await readInvitation(deps, body.token, originOf(context)),
      }),
    }),
    publicEndpoint({
      operationId: 'acceptInvitation',
      method: 'POST',
      path: '/dashboard/v1/invitations/accept',
      tag,
      summary: 'Set a password with an invitation and sign in',
      body: acceptRequest,
      responses: { 204: { description: 'Signed in' } },
      handle: async (context, { body }) => signedIn(await acceptInvitation(deps, body, originOf(context))),
    }),
    publicEndpoint({
      operationId: 'beginSingleSignOn',
      method: 'GET',
      path: '/dashboard/v1/sso/start',
      tag,
      summary: 'Redirect to the identity provider',
      query: ssoQuery,
      responses: { 302: { description: 'To the identity provider' } },
      async handle(context, { query }) {
        try {
          const { location, state } = await beginSingleSignOn(deps, query.return_to, originOf(context));
          return redirect(location, writeCookie('postil_sso', state, flowSeconds, cookieSettings));
        } catch (error) {
          if (error instanceof AppError) throw error;
          deps.log.warn({ err: error }, 'the identity provider could not be reached');
          return redirect('/sign-in?problem=unreachable');
        }
      },
    }),
    publicEndpoint({
      operationId: 'finishSingleSignOn',
      method: 'GET',
      path: callbackPath,
      tag,
      summary: 'Return from the identity provider',
      query: ssoCallbackQuery,
      responses: { 302: { description: 'To the dashboard, or to the sign-in page with the problem' } },
      async handle(context, { query }) {
        const clearedFlow = writeCookie('postil_sso', '', 0, cookieSettings);
        const cookie = readCookie(context.raw.headers, 'postil_sso', cookieSettings);
        const search = String(queryOf(context.raw.url ?? ''));
        try {
          const callback = { search, state: query.state, cookie };
          const { returnTo, ...cookies } = await finishSingleSignOn(deps, callback, originOf(context));
          return redirect(returnTo, clearedFlow, ...cookiesOf(cookies));
        } catch (error) {
          if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'single sign-on failed');
          const problem = isUnavailable(error) ? 'unreachable' : 'refused';
          return redirect(`/sign-in?problem=${problem}`, clearedFlow);
        }
      },
    }),
    sessionEndpoint({
      operationId: 'inviteMember',
      method: 'POST',
      path: '/dashboard/v1/people/invitations',
      tag,
      summary: 'Create a one-time link with which a member sets their dashboard password',
      description:
        'The link is valid for 24 hours, replaces any earlier one, and appears only in this response.',
      access: { user: 'own', workspace: 'all' },
      requires: { plan: 'enterprise', right: 'admin' },
      body: memberInviteRequest,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 201: { description: 'The link', json: inviteResponse } },
      async handle(context, { body }) {
        const { path, expiresAt } = await inviteMember(deps, context, body.email);
        const base = deps.settings.publicUrl ?? `http://${context.raw.headers.host ?? 'localhost'}`;
        return { status: 201, json: { url: base + path, expires_at: expiresAt.toISOString() } };
      },
    }),
    accountEndpoint({
      operationId: 'describeSession',
      method: 'GET',
      path: '/dashboard/v1/session',
      tag,
      summary: 'Get who is signed in, and what they may see and do',
      responses: { 200: { description: 'The session', json: sessionDescription } },
      handle: async ({ session, now }) => ({ json: await describeSession(deps, session, now) }),
    }),
    accountEndpoint({
      operationId: 'listPlaces',
      method: 'GET',
      path: '/dashboard/v1/places',
      tag,
      summary: 'Search the organizations and workspaces that one can look at',
      query: placesQuery,
      responses: { 200: { description: 'The first that match, by name', json: places } },
      handle: async ({ session }, { query }) => ({ json: await listPlaces(deps, session, query.search) }),
    }),
    accountEndpoint({
      operationId: 'findPlace',
      method: 'GET',
      path: '/dashboard/v1/places/{place}',
      tag,
      summary: 'Get one organization, or a workspace with its organizations',
      params: placePath,
      responses: { 200: { description: 'What one can see of it', json: places } },
      handle: async ({ session }, { params }) => ({
        json: await findPlace(deps, session, parseView(params.place)),
      }),
    }),
    accountEndpoint({
      operationId: 'signOut',
      method: 'POST',
      path: '/dashboard/v1/sign-out',
      tag,
      summary: 'Sign out of this session or of all sessions',
      body: signOutRequest,
      responses: { 204: { description: 'Signed out' } },
      async handle({ session }, { body }) {
        await signOut(deps, session, body.everywhere ? 'everywhere' : 'here');
        return signedOut();
      },
    }),
    accountEndpoint({
      operationId: 'changePassword',
      method: 'POST',
      path: '/dashboard/v1/password',
      tag,
      summary: 'Change your own password',
      body: passwordRequest,
      responses: { 204: { description: 'Changed' } },
      async handle(context, { body }) {
        await changePassword(deps, context.session, body, originOf(context));
        return { status: 204 };
      },
    }),
  ];
}
