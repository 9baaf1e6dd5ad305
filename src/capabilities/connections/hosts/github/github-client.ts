import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/core';
import { paginateRest } from '@octokit/plugin-paginate-rest';
import { retry } from '@octokit/plugin-retry';
import type { Outbound } from '../../../../outbound/outbound.ts';
import { OutboundError } from '../../../../outbound/outbound-error.ts';
import { outboundFetch } from '../../../../outbound/outbound-fetch.ts';
import { parseAnswer } from '../../../../outbound/parse-answer.ts';
import { boundedPages } from '../bounded-pages.ts';
import { type HostCredentials, HostRefused, HostUnavailable } from '../host.ts';
import { type AnswerLimits, type AnswerSize, answerLimits } from '../host-answer-limits.ts';
import { faultOf, reasonOf } from '../rest-client.ts';
import { unlimitedWrites, type WriteBudget } from '../writing/write-limits.ts';
import type { GitHubInstallation } from './github-responses.ts';
import { apiUrl } from './github-url.ts';

const GitHubOctokit = Octokit.plugin(paginateRest, retry);
type Client = InstanceType<typeof GitHubOctokit>;

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
  const reason = reasonOf(status, messageIn(response?.data), secrets);
  const fault = faultOf(status, headers, reason);
  // GitHub does not always say how long to wait.
  return status === 403 && fault instanceof HostRefused && /secondary rate limit/i.test(reason)
    ? new HostUnavailable(reason, 60)
    : fault;
}

/** The message, and what GitHub says about single fields. */
function messageIn(data: unknown): string {
  const { message, errors } = (data ?? {}) as { message?: unknown; errors?: unknown };
  const details = (Array.isArray(errors) ? errors : []).map((error) =>
    typeof error === 'string' ? error : (error?.message ?? error?.code),
  );
  return [message, ...details].filter((part) => typeof part === 'string').join('; ');
}

interface GraphqlFault {
  readonly errors: readonly { readonly type?: string; readonly message: string }[];
}

/** GraphQL reports errors with status 200, and their type in the body. */
function asGraphqlFault(error: unknown, secrets: readonly string[]): unknown {
  const [first] = (error as Partial<GraphqlFault>)?.errors ?? [];
  if (first === undefined) return asHostFault(error, secrets);
  if (first.type === 'RATE_LIMITED') return new HostUnavailable(reasonOf(200, first.message, secrets), 60);
  if (first.type === 'NOT_FOUND') return new HostRefused(404, reasonOf(404, first.message, secrets));
  if (first.type === 'FORBIDDEN') return new HostRefused(403, reasonOf(403, first.message, secrets));
  return new HostUnavailable(reasonOf(200, first.message, secrets));
}

/** GitHub's API with one set of credentials: paged, within its limits, with errors as HostRefused or HostUnavailable. */
export interface GitHubClient {
  read<Value>(path: string, parameters?: Record<string, unknown>, size?: AnswerSize): Promise<Value | null>;
  readWithHeaders<Value>(
    path: string,
    size?: AnswerSize,
  ): Promise<{ value: Value; headers: Record<string, string | undefined> } | null>;
  write<Value>(
    method: 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<Value | null>;
  pages<Item>(path: string, parameters?: Record<string, unknown>): AsyncGenerator<Item>;
  query<Value>(query: string, variables: Record<string, unknown>): Promise<Value>;
  mutate<Value>(mutation: string, variables: Record<string, unknown>): Promise<Value>;
  /** The current access token, for Git over HTTP. */
  token(): Promise<string>;
}

/** Writes are not retried: one can have succeeded even though its response failed. */
const once = { retries: 0 };

function clientOver(octokit: Client, secrets: readonly string[], writes: WriteBudget): GitHubClient {
  async function call<Value>(
    route: string,
    parameters: Record<string, unknown> = {},
    size: AnswerSize = 'one',
    more: object = {},
  ) {
    try {
      const request = { ...more, answerSize: size };
      const { data, headers } = await octokit.request(route, { ...parameters, request });
      return { value: data as Value, headers: headers as Record<string, string | undefined> };
    } catch (error) {
      if (isRequestFault(error) && (error.status === 404 || error.status === 410)) return null;
      throw asHostFault(error, secrets);
    }
  }
  async function graphql<Value>(
    query: string,
    variables: Record<string, unknown>,
    more: object = {},
  ): Promise<Value> {
    try {
      const request = { ...more, answerSize: 'page' };
      return await octokit.graphql<Value>(query, { ...variables, request });
    } catch (error) {
      throw asGraphqlFault(error, secrets);
    }
  }
  return {
    read: async <Value>(path: string, parameters?: Record<string, unknown>, size?: AnswerSize) =>
      (await call<Value>(`GET ${path}`, parameters, size))?.value ?? null,
    readWithHeaders: (path, size) => call(`GET ${path}`, {}, size),
    // Passed as `data`, because the library interprets parameters such as `url` itself.
    async write<Value>(method: string, path: string, body?: object) {
      await writes.spend();
      const parameters = { ...(body !== undefined && { data: body }) };
      const answer = await call<Value>(`${method} ${path}`, parameters, 'one', once);
      // Null means "not found", so a success without a body becomes an empty object.
      return answer === null ? null : (answer.value ?? ({} as Value));
    },
    async *pages<Item>(path: string, parameters: Record<string, unknown> = {}) {
      try {
        // Passed as defaults, because `paginate` keeps only the URL and drops the other options of a call.
        const readPage = octokit.request.defaults({
          method: 'GET',
          url: path,
          request: { answerSize: 'page' },
        });
        // The library's types declare only the overload that takes the URL first.
        const pages = octokit.paginate.iterator(readPage, { per_page: 100, ...parameters } as never);
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
    query: (query, variables) => graphql(query, variables),
    async mutate<Value>(mutation: string, variables: Record<string, unknown>) {
      await writes.spend();
      return graphql<Value>(mutation, variables, once);
    },
    async token() {
      const { token } = (await octokit.auth({ type: 'installation' })) as { token: string };
      return token;
    },
  };
}

const noLog = () => {};
const log = { debug: noLog, info: noLog, warn: noLog, error: noLog };

function octokitWith(url: string, outbound: Outbound, auth: object): Client {
  const octokit = new GitHubOctokit({
    baseUrl: apiUrl(url),
    userAgent: 'postil',
    log,
    // The library would parse bodies of any size; they are parsed below, within limits.
    request: { fetch: outboundFetch(outbound, answerLimits.short), parseSuccessResponseBody: false },
    // A used-up rate limit is not waited for here: the queue retries the work later, so that no worker is blocked.
    retry: { retries: 1, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    ...auth,
  });
  const { host } = new URL(apiUrl(url));
  octokit.hook.wrap('request', async (request, options) => {
    const limits = answerLimits[(options.request?.answerSize as AnswerSize | undefined) ?? 'one'];
    // The options are changed in place: hooks of plugins run inside this one and would not see a new object.
    Object.assign(options.request, { fetch: outboundFetch(outbound, limits) });
    const response = await request(options);
    // No body, as after a deletion; otherwise it is a stream.
    if (!(response.data instanceof ReadableStream)) return response;
    const body = Buffer.from(await new Response(response.data).arrayBuffer());
    response.data = await parseData(body, host, limits);
    return response;
  });
  return octokit;
}

async function parseData(body: Buffer, host: string, limits: AnswerLimits): Promise<unknown> {
  try {
    return body.length === 0 ? '' : await parseAnswer(body, host, limits);
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw new HostUnavailable('the host sent a response that is not JSON');
  }
}

/** How GitHub is called: with a person's token, or as an app, which has a separate client for each account it is installed on. */
export interface GitHubClients {
  readonly isApp: boolean;
  /** Null for a token. */
  readonly appId: string | null;
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

export function gitHubClients(
  url: string,
  credentials: HostCredentials,
  outbound: Outbound,
  writes: WriteBudget = unlimitedWrites,
): GitHubClients {
  if ('token' in credentials) {
    const { token } = credentials;
    const own = clientOver(octokitWith(url, outbound, { auth: token }), [token], writes);
    return { isApp: false, appId: null, own, for: async () => own, installations: () => noInstallations() };
  }
  const { app_id: appId, private_key: privateKey, installation_id: only } = credentials;
  const appClient = (installationId?: number) =>
    clientOver(
      octokitWith(url, outbound, {
        authStrategy: createAppAuth,
        auth: { appId, privateKey, ...(installationId !== undefined && { installationId }) },
      }),
      [privateKey],
      writes,
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
    appId: String(appId),
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
