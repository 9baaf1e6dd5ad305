import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { noteBranch, readBranch } from './forge/forge-branches.ts';
import type { ForgeHook, ForgeUser } from './forge/forge-data.ts';
import { ForgeState } from './forge/forge-state.ts';
import { gitRequest, isPush, serveGit, tokenOf } from './forge/git-http.ts';

/** A parsed request to a double. */
export interface DoubleRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: http.IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: a double reads what it expects of its caller
  readonly body: any;
}

export interface DoubleAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** One webhook request of the host, which is sent only once. */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Fault = (request: DoubleRequest) => DoubleAnswer | 'stall' | 'drop' | undefined;

/** Compiled patterns, cached because every request is matched with dozens of them. */
const patterns = new Map<string, { readonly names: readonly string[]; readonly expression: RegExp }>();

/** The named parts of a path that matches a pattern such as `/orgs/:org/repos`; undefined if it does not match. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  let known = patterns.get(pattern);
  if (known === undefined) {
    const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    known = { names, expression: new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`) };
    patterns.set(pattern, known);
  }
  const found = known.expression.exec(path);
  return found === null
    ? undefined
    : Object.fromEntries(known.names.map((name, index) => [name, decodeURIComponent(found[index + 1]!)]));
}

/**
 * The common part of all doubles: a real HTTP server over a forge's data, accounts by token, configurable faults, and an outbox
 * of deliveries.
 */
export abstract class HostDouble {
  readonly state = new ForgeState();
  readonly tokens = new Map<string, ForgeUser>();
  readonly requests: { readonly method: string; readonly path: string; readonly status: number }[] = [];
  /** The deliveries to the host's webhooks, in order. */
  readonly outbox: Delivery[] = [];
  /** The maximum page size, whatever is requested. */
  maxPageSize = 100;
  /** Called first for each request; its result is sent instead of the real response, unless it is undefined. */
  fault: Fault = () => undefined;
  /** Delays a request until the returned promise is fulfilled; undefined: no delay. */
  holds: (request: DoubleRequest) => Promise<void> | undefined = () => undefined;
  /** Whether the host carries out a request but its answer is lost. */
  loses: (request: DoubleRequest) => boolean = () => false;
  /** Whether the account may only read, not push. */
  deniesPushes = false;
  /** The number of next pushes that are carried out but whose answer is lost. */
  losesPushes = 0;
  #server: http.Server | undefined;
  #isAway = false;
  #port = 0;

  constructor() {
    this.state.onChange = (change) => {
      const { organization } = change.pull.repository;
      for (const hook of this.hooksOf(change.pull.repository))
        if (hook.active) this.outbox.push(...this.deliveriesOf(hook, organization, change));
    };
  }

  protected abstract answer(request: DoubleRequest): DoubleAnswer;
  protected abstract deliveriesOf(
    hook: ForgeHook,
    organization: Parameters<ForgeState['addRepository']>[0],
    change: Parameters<ForgeState['onChange']>[0],
  ): Delivery[];

  protected hooksOf(repository: ReturnType<ForgeState['addRepository']>): readonly ForgeHook[] {
    return repository.organization.hooks;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    this.#server = http.createServer((request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket) => {
      if (this.#isAway) socket.destroy();
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Cuts every connection from now on, until `comeBack`. The port stays open, because another process could take it. */
  goAway(): void {
    this.#isAway = true;
    this.#server?.closeAllConnections();
  }

  comeBack(): void {
    this.#isAway = false;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Returns the deliveries since the last call, and removes them. */
  takeDeliveries(): Delivery[] {
    return this.outbox.splice(0);
  }

  /** Serves Git over HTTP for repositories with a folder; returns whether the request was one of Git. */
  #serveGit(request: http.IncomingMessage, response: http.ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url!, 'http://double');
    const asked = gitRequest(pathname);
    if (asked === undefined) return false;
    const repository = this.state.repositoryNamed(asked.owner, asked.name);
    const { method, headers } = request;
    const fault = this.fault({
      method: method!,
      path: pathname,
      query: searchParams,
      headers,
      body: undefined,
    });
    if (fault === 'stall') return true;
    if (fault === 'drop') request.destroy();
    else if (fault !== undefined) response.writeHead(fault.status).end();
    else if (repository?.folder === undefined) response.writeHead(404).end();
    else if (!this.acceptsGitToken(tokenOf(request.headers.authorization)))
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    else if (this.deniesPushes && isPush(pathname, searchParams)) response.writeHead(403).end();
    else {
      this.requests.push({ method: request.method!, path: pathname, status: 200 });
      const { folder } = repository;
      if (asked.rest !== 'git-receive-pack') {
        void serveGit(folder, asked.rest, request, response, async () => true);
        return true;
      }
      const before = readBranch(folder);
      void serveGit(folder, asked.rest, request, response, async () => {
        await noteBranch(this.state, repository, await before);
        const isLost = this.losesPushes > 0;
        this.losesPushes -= isLost ? 1 : 0;
        return !isLost;
      });
    }
    return true;
  }

  /** Whether Git may read with this token; overridden for hosts with other credentials for Git. */
  protected acceptsGitToken(token: string | undefined): boolean {
    return token !== undefined && this.tokens.has(token);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (this.#serveGit(request, response)) return;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { pathname, searchParams } = new URL(request.url!, 'http://double');
    const asked = {
      method: request.method!,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    await this.holds(asked);
    const answer = this.fault(asked) ?? this.answer(asked);
    if (answer === 'stall') return;
    if (answer === 'drop' || this.loses(asked)) return void request.socket.destroy();
    this.requests.push({ method: asked.method, path: pathname, status: answer.status });
    response.writeHead(answer.status, {
      ...(answer.json !== undefined && { 'content-type': 'application/json' }),
      ...answer.headers,
    });
    response.end(answer.json === undefined ? undefined : JSON.stringify(answer.json));
  }
}
