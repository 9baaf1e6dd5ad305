import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { after } from 'node:test';
import Provider from 'oidc-provider';

/** A real OpenID provider on the loopback interface that signs in the configured user without a prompt. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The user of the browser, with the claims of the provider. */
  user: { email: string; email_verified?: boolean };
  /** Replaces an answer of the provider, given its path; undefined: it answers with 503. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects, and fails if they are missing
  rewrite: (path: string, answer: any) => object | undefined;
}

export const client = { clientId: 'postil', clientSecret: 'secret-of-the-tests' };

/** Lets a test change the JSON answers of the provider to servers. */
function rewriteAnswer(path: string, response: ServerResponse, state: IdentityProvider): void {
  const end = response.end.bind(response);
  response.end = ((given?: unknown) => {
    if (!/^application\/(jwk-set\+)?json/.test(String(response.getHeader('content-type')))) return end(given);
    const changed = state.rewrite(path, JSON.parse(String(given)));
    if (changed === undefined) response.statusCode = 503;
    const body = JSON.stringify(changed ?? {});
    response.setHeader('content-length', Buffer.byteLength(body));
    return end(body);
  }) as typeof response.end;
}

/** Starts the provider for a dashboard at this URL; it stops with the test file. */
export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const state: IdentityProvider = {
    issuer,
    user: { email: 'user-9001@acme.test', email_verified: true },
    rewrite: (_path, answer) => answer,
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
    rewriteAnswer(request.url!, response, state);
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
