import { hashSecret, mayUseDashboard } from '../../../access/session.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { PersonId } from '../../../lib/ids.ts';
import type { DashboardDeps, OidcSettings, SignedIn, SignInOrigin } from '../deps.ts';
import { countSingleSignOn } from './attempts.ts';
import { discover, discoverOnce, loadLibrary } from './identity-provider.ts';
import { startSession } from './start-session.ts';

export const flowSeconds = 10 * 60;
export const callbackPath = '/dashboard/v1/sso/callback';

function singleSignOnSettings({ settings }: DashboardDeps) {
  if (settings.oidc === undefined || settings.publicUrl === undefined)
    throw new AppError('NOT_FOUND', 'Single sign-on is not configured');
  return { oidc: settings.oidc, callback: new URL(callbackPath, settings.publicUrl) };
}

/** Starts a sign-in at the identity provider. Returns where to send the browser, and the state that ties the sign-in to it. */
export async function beginSingleSignOn(deps: DashboardDeps, returnTo: string, origin: SignInOrigin) {
  const { oidc, callback } = singleSignOnSettings(deps);
  await countSingleSignOn(deps.limiter, origin.ipAddress);
  const openid = await loadLibrary();
  const provider = await discoverOnce(oidc, deps.outbound);
  const [state, nonce, verifier] = [
    openid.randomState(),
    openid.randomNonce(),
    openid.randomPKCECodeVerifier(),
  ];
  await deps.database.sql`
    INSERT INTO dashboard_sso_flows (state_hash, code_verifier, nonce, return_to, expires_at)
    VALUES (${hashSecret(state)}, ${verifier}, ${nonce}, ${returnTo}, ${new Date(origin.now.getTime() + flowSeconds * 1000)})`;
  const location = openid.buildAuthorizationUrl(provider, {
    redirect_uri: callback.href,
    scope: 'openid email',
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  return { location: location.href, state };
}

interface Claims {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

function verifiedEmail({ email, email_verified: verified }: Claims, { trustEmail }: OidcSettings): string {
  if (typeof email !== 'string' || !(verified === true || (trustEmail && verified === undefined)))
    throw new AppError('UNAUTHORIZED', 'The identity provider does not confirm an email address');
  return email.toLowerCase();
}

/** Completes a sign-in that returns from the identity provider, with a session for the person with that email address. */
export async function finishSingleSignOn(
  deps: DashboardDeps,
  response: { search: string; state: string | undefined; cookie: string | undefined },
  origin: SignInOrigin,
): Promise<SignedIn & { returnTo: string }> {
  const { oidc, callback } = singleSignOnSettings(deps);
  if (response.state === undefined || response.state !== response.cookie)
    throw new AppError('UNAUTHORIZED', 'This sign-in was not started in this browser');
  const [flow] = await deps.database.sql<{ code_verifier: string; nonce: string; return_to: string }[]>`
    DELETE FROM dashboard_sso_flows WHERE state_hash = ${hashSecret(response.state)} AND expires_at > ${origin.now}
    RETURNING code_verifier, nonce, return_to`;
  if (flow === undefined) throw new AppError('UNAUTHORIZED', 'This sign-in took too long');

  const openid = await loadLibrary();
  const provider = await discover(oidc, deps.outbound);
  callback.search = response.search;
  const tokens = await openid.authorizationCodeGrant(provider, callback, {
    pkceCodeVerifier: flow.code_verifier,
    expectedNonce: flow.nonce,
    expectedState: response.state,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const userInfo: Claims =
    claims.email === undefined
      ? await openid.fetchUserInfo(provider, tokens.access_token, claims.sub)
      : claims;
  const email = verifiedEmail(userInfo, oidc);

  const signedIn = await deps.database.transaction(async (tx) => {
    await tx`
      INSERT INTO dashboard_accounts (person_id, installation_admin, created_at)
      SELECT id, false, ${origin.now} FROM people WHERE email = ${email} ON CONFLICT DO NOTHING`;
    const [person] = await tx<{ id: PersonId; email: string }[]>`
      SELECT p.id, p.email FROM people p JOIN dashboard_accounts a ON a.person_id = p.id
      WHERE p.email = ${email} AND ${mayUseDashboard(tx)}`;
    if (person === undefined)
      throw new AppError('UNAUTHORIZED', 'Nobody with this email address has a role here');
    return startSession(tx, person, 'single_sign_on', origin);
  });
  return { ...signedIn, returnTo: flow.return_to };
}
