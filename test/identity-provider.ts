import { once } from 'node:events';
import { createServer } from 'node:http';
import { after } from 'node:test';
import Provider from 'oidc-provider';

/** A real OpenID provider on loopback that signs in whoever is set, without asking. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The person using the browser, and what the provider says about them. */
  user: { email: string; email_verified?: boolean };
}

export const client = { clientId: 'postil', clientSecret: 'secret-of-the-tests' };

/** Starts the provider for a dashboard at this URL; it stops with the test file. */
export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const state: IdentityProvider = {
    issuer,
    user: { email: 'user-9001@acme.test', email_verified: true },
  };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${publicUrl}/dashboard/v1/sso/callback`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for the cookies of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...state.user }),
    }),
  });
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    if (request.url !== '/interaction') return handle(request, response);
    const accountId = state.user.email;
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope('openid email');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { login: { accountId }, consent });
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return state;
}
