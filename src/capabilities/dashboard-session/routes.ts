import {
  accountEndpoint,
  type Endpoint,
  publicEndpoint,
  type Reply,
  type RequestContext,
} from '../../http/endpoint.ts';
import { queryOf } from '../../http/request/request-input.ts';
import { readCookie, writeCookie } from '../../http/request/session-cookie.ts';
import { AppError } from '../../lib/app-error.ts';
import { acceptInvitation, readInvitation } from './accounts/accept-invitation.ts';
import { changePassword } from './accounts/change-password.ts';
import type { DashboardDeps, SignedIn, SignInOrigin } from './deps.ts';
import { describeSession } from './describe-session.ts';
import {
  acceptRequest,
  invitationAnswer,
  invitationRequest,
  passwordRequest,
  sessionDescription,
  signInOptions,
  signInRequest,
  signOutRequest,
  ssoCallbackQuery,
  ssoQuery,
} from './schemas.ts';
import { describeEntrance } from './sign-in/describe-entrance.ts';
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

/** Signing in to the dashboard and out again. */
export function dashboardSessionEndpoints(
  deps: DashboardDeps & { log: { warn(fields: object, message: string): void } },
): Endpoint[] {
  const address = deps.settings ?? {};
  const originOf = (context: RequestContext): SignInOrigin => ({
    now: context.now,
    ipAddress: context.ipAddress,
    requestId: context.requestId,
    device: readCookie(context.raw.headers, 'postil_device', address),
  });
  const cookiesOf = ({ session, device }: SignedIn) => [
    writeCookie('postil_session', session, sessionSeconds, address),
    writeCookie('postil_device', device, deviceSeconds, address),
  ];
  const signedIn = (kept: SignedIn): Reply => ({
    status: 204,
    headers: { 'set-cookie': cookiesOf(kept) },
  });
  const signedOut = (): Reply => ({
    status: 204,
    headers: { 'set-cookie': writeCookie('postil_session', '', 0, address) },
  });
  return [
    publicEndpoint({
      operationId: 'readSignInOptions',
      method: 'GET',
      path: '/dashboard/v1/sign-in',
      tag,
      summary: 'How people can sign in',
      responses: { 200: { description: 'What is offered', json: signInOptions } },
      async handle(context) {
        const cookie = readCookie(context.raw.headers, 'postil_session', address);
        return { json: await describeEntrance(deps, cookie, context.now) };
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
      summary: 'Whom an invitation is for',
      body: invitationRequest,
      responses: { 200: { description: 'The person', json: invitationAnswer } },
      handle: async (context, { body }) => ({
        json: await readInvitation(deps, body.token, originOf(context)),
      }),
    }),
    publicEndpoint({
      operationId: 'acceptInvitation',
      method: 'POST',
      path: '/dashboard/v1/invitations/accept',
      tag,
      summary: 'Set a password with an invitation, and sign in',
      body: acceptRequest,
      responses: { 204: { description: 'Signed in' } },
      handle: async (context, { body }) => signedIn(await acceptInvitation(deps, body, originOf(context))),
    }),
    publicEndpoint({
      operationId: 'beginSingleSignOn',
      method: 'GET',
      path: '/dashboard/v1/sso/start',
      tag,
      summary: 'Go to the identity provider',
      query: ssoQuery,
      responses: { 302: { description: 'To the identity provider' } },
      async handle(context, { query }) {
        try {
          const { location, state } = await beginSingleSignOn(deps, query.return_to, originOf(context));
          return redirect(location, writeCookie('postil_sso', state, flowSeconds, address));
        } catch (error) {
          if (error instanceof AppError) throw error;
          deps.log.warn({ err: error }, 'the identity provider could not be asked');
          return redirect('/sign-in?problem=unreachable');
        }
      },
    }),
    publicEndpoint({
      operationId: 'finishSingleSignOn',
      method: 'GET',
      path: callbackPath,
      tag,
      summary: 'Come back from the identity provider',
      query: ssoCallbackQuery,
      responses: { 302: { description: 'Into the dashboard, or to the sign-in page with what went wrong' } },
      async handle(context, { query }) {
        const done = writeCookie('postil_sso', '', 0, address);
        const cookie = readCookie(context.raw.headers, 'postil_sso', address);
        const search = String(queryOf(context.raw.url ?? ''));
        try {
          const answer = { search, state: query.state, cookie };
          const { returnTo, ...kept } = await finishSingleSignOn(deps, answer, originOf(context));
          return redirect(returnTo, done, ...cookiesOf(kept));
        } catch (error) {
          if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'single sign-on failed');
          return redirect('/sign-in?problem=refused', done);
        }
      },
    }),
    accountEndpoint({
      operationId: 'describeSession',
      method: 'GET',
      path: '/dashboard/v1/session',
      tag,
      summary: 'Who is signed in, and what they may see and do',
      responses: { 200: { description: 'The session', json: sessionDescription } },
      handle: async ({ session }) => ({ json: await describeSession(deps, session) }),
    }),
    accountEndpoint({
      operationId: 'signOut',
      method: 'POST',
      path: '/dashboard/v1/sign-out',
      tag,
      summary: 'Sign out, here or everywhere',
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
      summary: 'Change the own password',
      body: passwordRequest,
      responses: { 204: { description: 'Changed' } },
      async handle(context, { body }) {
        await changePassword(deps, context.session, body, originOf(context));
        return { status: 204 };
      },
    }),
  ];
}
