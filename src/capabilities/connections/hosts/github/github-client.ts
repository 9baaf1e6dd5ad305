import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import { newUuid } from '../../../../lib/uuid.ts';
import type { Outbound } from '../../../../outbound/outbound.ts';
import { OutboundError } from '../../../../outbound/outbound-error.ts';
import { outboundFetch } from '../../../../outbound/outbound-fetch.ts';
import { boundedPages } from '../bounded-pages.ts';
import { type HostCredentials, HostRefused } from '../host.ts';
import { faultOf, reasonOf } from '../rest-client.ts';
import type { GitHubInstallation } from './github-responses.ts';

const GitHubOctokit = Octokit.plugin(paginateRest, retry, throttling);
type Client = InstanceType<typeof GitHubOctokit>;

/** The URL of GitHub's API: the cloud has a separate host for it, Enterprise Server a path. */
export function apiUrl(url: string): string {
  return url === 'https://github.com' ? 'https://api.github.com' : `${url}/api/v3`;
}

interface RequestFault {
  readonly status: number;
  readonly message: string;
  readonly response?: { readonly headers: Record<string, string | undefined>; readonly data?: unknown };
}

function isRequestFault(error: unknown): error is Error & RequestFault {
  return error instanceof Error && 'status' in error && typeof error.status === 'number';
}

/** What a failed call means for the connection; the library's message contains the URL, so the host's own is used. */
function asHostFault(error: unknown, secrets: readonly string[]): unknown {
  if (!isRequestFault(error)) return error;
  if (error.cause instanceof OutboundError) return error.cause;
  const { status, response } = error;
  const headers = Object.fromEntries(
    Object.entries(response?.headers ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  const given = (response?.data as { message?: unknown } | undefined)?.message;
  return faultOf(status, headers, reasonOf(status, given, secrets));
}

/** GitHub's API with one set of credentials: paged, within its limits, with errors as HostRefused or HostUnavailable. */
export interface GitHubClient {
  read<Value>(path: string, parameters?: Record<string, unknown>): Promise<Value | null>;
  readWithHeaders<Value>(
    path: string,
  ): Promise<{ value: Value; headers: Record<string, string | undefined> } | null>;
  write<Value>(
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Value | null>;
  pages<Item>(path: string, parameters?: Record<string, unknown>): AsyncGenerator<Item>;
  graphql<Value>(query: string, variables: Record<string, unknown>): Promise<Value>;
}

function clientOver(octokit: Client, secrets: readonly string[]): GitHubClient {
  async function call<Value>(route: string, parameters: Record<string, unknown> = {}) {
    try {
      const { data, headers } = await octokit.request(route, parameters);
      return { value: data as Value, headers: headers as Record<string, string | undefined> };
    } catch (error) {
      if (isRequestFault(error) && (error.status === 404 || error.status === 410)) return null;
      throw asHostFault(error, secrets);
    }
  }
  return {
    read: async <Value>(path: string, parameters?: Record<string, unknown>) =>
      (await call<Value>(`GET ${path}`, parameters))?.value ?? null,
    readWithHeaders: (path) => call(`GET ${path}`),
    // As data: the library interprets parameters such as `url` itself.
    write: async <Value>(method: string, path: string, body?: object) =>
      (await call<Value>(`${method} ${path}`, body === undefined ? {} : { data: body }))?.value ?? null,
    async *pages<Item>(path: string, parameters: Record<string, unknown> = {}) {
      try {
        const pages = octokit.paginate.iterator(`GET ${path}`, { per_page: 100, ...parameters });
        const iterator = pages[Symbol.asyncIterator]();
        yield* boundedPages<Item>(async () => {
          const { done, value } = await iterator.next();
          return done ? null : value.data;
        });
      } catch (error) {
        if (isRequestFault(error) && error.status === 404) return;
        throw asHostFault(error, secrets);
      }
    },
    async graphql<Value>(query: string, variables: Record<string, unknown>) {
      try {
        return await octokit.graphql<Value>(query, variables);
      } catch (error) {
        throw asHostFault(error, secrets);
      }
    },
  };
}

const noLog = () => {};
const log = { debug: noLog, info: noLog, warn: noLog, error: noLog };

function octokitWith(url: string, outbound: Outbound, auth: object): Client {
  return new GitHubOctokit({
    baseUrl: apiUrl(url),
    userAgent: 'postil',
    log,
    request: { fetch: outboundFetch(outbound) },
    retry: { retries: 1 },
    // The queue waits for a used-up limit, not a worker.
    // The library's queues belong to this connection only: an unresponsive host must not hold up another.
    throttle: { id: newUuid(), onRateLimit: () => false, onSecondaryRateLimit: () => false },
    ...auth,
  });
}

/** How GitHub is called: with a person's token, or as an app, which has a separate client for each account it is installed on. */
export interface GitHubClients {
  readonly isApp: boolean;
  /** The token's client, or the app's own, which can only ask about the app. */
  readonly own: GitHubClient;
  /** The client for what belongs to an account; throws HostRefused if the app is not installed there. */
  for(account: string): Promise<GitHubClient>;
  /** The app's installations that the connection covers; none for a token. */
  installations(): AsyncIterable<GitHubInstallation>;
}

async function* noInstallations(): AsyncGenerator<GitHubInstallation> {}

/** The library's error for an invalid key would look like a fault of ours. */
function checkPrivateKey(privateKey: string): void {
  try {
    createPrivateKey(privateKey);
  } catch {
    throw new HostRefused(401, 'the private key of the app is not a valid PEM private key');
  }
}

export function gitHubClients(url: string, credentials: HostCredentials, outbound: Outbound): GitHubClients {
  if ('token' in credentials) {
    const { token } = credentials;
    const own = clientOver(octokitWith(url, outbound, { auth: token }), [token]);
    return { isApp: false, own, for: async () => own, installations: () => noInstallations() };
  }
  const { app_id: appId, private_key: privateKey, installation_id: only } = credentials;
  const appClient = (installationId?: number) =>
    clientOver(
      octokitWith(url, outbound, {
        authStrategy: createAppAuth,
        auth: { appId, privateKey, ...(installationId !== undefined && { installationId }) },
      }),
      [privateKey],
    );
  const own = appClient();
  /** By the account's login in lower case; each client keeps the token of its installation. */
  const installed = new Map<string, GitHubClient>();
  async function* installations(): AsyncGenerator<GitHubInstallation> {
    checkPrivateKey(privateKey);
    for await (const installation of own.pages<GitHubInstallation>('/app/installations'))
      if (only === undefined || only === String(installation.id)) yield installation;
  }
  async function readInstalled(): Promise<void> {
    const clients = new Map<string, GitHubClient>();
    for await (const { id, account } of installations())
      if (account !== null) clients.set(account.login.toLowerCase(), appClient(id));
    installed.clear();
    for (const [login, client] of clients) installed.set(login, client);
  }
  return {
    isApp: true,
    own,
    installations,
    async for(account) {
      const login = account.toLowerCase();
      if (!installed.has(login)) await readInstalled();
      const client = installed.get(login);
      if (client === undefined) throw new HostRefused(404, `the app is not installed on ${account}`);
      return client;
    },
  };
}
