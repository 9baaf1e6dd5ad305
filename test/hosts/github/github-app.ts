import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type { ForgeOrganization } from '../forge/forge-data.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import { notFound, pageOf } from './github-answers.ts';
import type { GitHubDouble } from './github-double.ts';
import { repositoryObject } from './github-payloads.ts';

export interface GitHubApp {
  readonly id: number;
  readonly slug: string;
  readonly publicKey: string;
  /** The organizations, by the id of their installation. */
  readonly installations: Map<number, ForgeOrganization>;
  hook: { url?: string; secret?: string };
  /** The granted permissions; by default all that Postil requests. */
  permissions?: Record<string, string>;
}

/** Creates an App, with the data that its creator gets only once. */
export function appOfManifest(
  double: GitHubDouble,
  manifest: { readonly hook_attributes: { readonly url: string } },
): { app: GitHubApp; told: object } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const id = double.state.nextId();
  const secret = randomUUID();
  const hook = { url: manifest.hook_attributes.url, secret };
  return {
    app: { id, slug: 'postil', publicKey, installations: new Map(), hook },
    told: {
      id,
      slug: 'postil',
      html_url: `${double.url}/apps/postil`,
      pem: privateKey,
      webhook_secret: secret,
    },
  };
}

export function answerAsApp(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  jwt: string,
): DoubleAnswer {
  const { app } = double;
  const [head, payload, signature] = jwt.split('.') as [string, string, string];
  const isGood =
    app !== undefined &&
    verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${payload}`),
      createPublicKey(app.publicKey),
      Buffer.from(signature, 'base64url'),
    ) &&
    String(JSON.parse(Buffer.from(payload, 'base64url').toString()).iss) === String(app.id);
  if (!isGood) return { status: 401, json: { message: 'A JSON web token could not be decoded' } };
  if (path === '/app') return { status: 200, json: { id: app.id, slug: app.slug } };
  if (path === '/app/hook/config') {
    if (request.method === 'PATCH') app.hook = { url: request.body.url, secret: request.body.secret };
    return { status: 200, json: { url: app.hook.url, content_type: 'json', secret: '********' } };
  }
  if (path === '/app/installations')
    return pageOf(
      double,
      path,
      request,
      [...app.installations].map(([id, { id: account, name }]) => ({
        id,
        account: { id: account, login: name, type: 'Organization' },
        permissions: double.app!.permissions ?? {
          contents: 'write',
          pull_requests: 'write',
          members: 'read',
          checks: 'write',
          issues: 'read',
          statuses: 'write',
        },
      })),
    );
  const found = match('/app/installations/:id/access_tokens', path);
  const organization = app.installations.get(Number(found?.id));
  if (organization === undefined || request.method !== 'POST') return notFound;
  const token = `ghs_${randomUUID()}`;
  double.installationTokens.set(token, organization);
  return {
    status: 201,
    json: {
      token,
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      permissions: {},
      repository_selection: 'all',
    },
  };
}

export function installedRepositories(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  organization: ForgeOrganization,
): DoubleAnswer {
  const own = double.state.repositories.filter((one) => one.organization === organization);
  const page = pageOf(
    double,
    path,
    request,
    own.map((one) => repositoryObject(double.url, one)),
  );
  return { ...page, json: { total_count: own.length, repositories: page.json } };
}
