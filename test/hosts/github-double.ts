import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import type {
  ForgeChange,
  ForgeHook,
  ForgeOrganization,
  ForgePull,
  ForgeRepository,
  ForgeUser,
} from './forge-state.ts';
import { answerGraphql } from './github-graphql.ts';
import {
  commentedEvent,
  pullRequestEvent,
  repositoryObject,
  reviewedEvent,
  userObject,
} from './github-payloads.ts';
import { answerGitHubWriting, conversationObject } from './github-writing.ts';
import { type Delivery, type DoubleAnswer, type DoubleRequest, HostDouble, match } from './host-double.ts';

const notFound: DoubleAnswer = {
  status: 404,
  json: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' },
};

export interface GitHubApp {
  readonly id: number;
  readonly slug: string;
  readonly publicKey: string;
  /** Organization by the id of its installation. */
  readonly installations: Map<number, ForgeOrganization>;
  hook: { url?: string; secret?: string };
  /** By default, all that Postil asks for. */
  permissions?: Record<string, string>;
}

/** GitHub Enterprise Server: a token or an app, links to the next page, limits by header, events checked by GitHub's schemas. */
export class GitHubDouble extends HostDouble {
  app: GitHubApp | undefined;
  readonly installationTokens = new Map<string, ForgeOrganization>();

  readonly #manifestCodes = new Map<string, object>();

  /** A person confirms an App from its manifest; gives the code that the browser is sent back with, good for one exchange. */
  createApp(manifest: { readonly hook_attributes: { readonly url: string } }): string {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    const id = this.state.nextId();
    const secret = randomUUID();
    const hook = { url: manifest.hook_attributes.url, secret };
    this.app = { id, slug: 'postil', publicKey, installations: new Map(), hook };
    const code = randomUUID();
    this.#manifestCodes.set(code, {
      id,
      slug: 'postil',
      html_url: `${this.url}/apps/postil`,
      pem: privateKey,
      webhook_secret: secret,
    });
    return code;
  }

  #convert(code: string): DoubleAnswer {
    const app = this.#manifestCodes.get(code);
    this.#manifestCodes.delete(code);
    return app === undefined ? notFound : { status: 201, json: app };
  }

  /** Calls come to `{url}/api/v3`, as on Enterprise Server. */
  protected answer(request: DoubleRequest): DoubleAnswer {
    if (request.path === '/api/graphql') return this.#graphql(request);
    if (!request.path.startsWith('/api/v3/')) return { status: 404 };
    const path = request.path.slice('/api/v3'.length);
    if (path === '/meta') return { status: 200, json: {} };
    const conversion = match('/app-manifests/:code/conversions', path);
    if (conversion !== undefined && request.method === 'POST') return this.#convert(conversion.code!);
    const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() === 'bearer' && value.split('.').length === 3)
      return this.#asApp(path, request, value);
    const organization = this.installationTokens.get(value);
    if (organization !== undefined) {
      if (path === '/installation/repositories') return this.#installed(path, request, organization);
      return this.#shared(path, request, this.appUser, organization) ?? notFound;
    }
    const user = this.tokens.get(value);
    if (user === undefined) return { status: 401, json: { message: 'Bad credentials' } };
    if (path === '/user') return { status: 200, json: userObject(this.url, user) };
    if (path === '/user/orgs')
      return this.#page(
        path,
        request,
        this.state.organizations
          .filter(({ members }) => members.has(user.id))
          .map(({ id, name }) => ({ id, login: name })),
      );
    return this.#shared(path, request, user) ?? notFound;
  }

  /** The account under which the app writes; its id is not that of the app. */
  get appUser(): ForgeUser {
    return { id: 900_000 + this.app!.id, login: this.app!.slug, email: '', isBot: true };
  }

  #graphql(request: DoubleRequest): DoubleAnswer {
    const [, value = ''] = (request.headers.authorization ?? '').split(' ');
    const user = this.installationTokens.has(value) ? this.appUser : this.tokens.get(value);
    return user === undefined
      ? { status: 401, json: { message: 'Bad credentials' } }
      : answerGraphql(this, request, user);
  }

  #asApp(path: string, request: DoubleRequest, jwt: string): DoubleAnswer {
    const { app } = this;
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
      return this.#page(
        path,
        request,
        [...app.installations].map(([id, { id: account, name }]) => ({
          id,
          account: { id: account, login: name, type: 'Organization' },
          permissions: this.app!.permissions ?? {
            contents: 'read',
            pull_requests: 'write',
            members: 'read',
            checks: 'write',
            statuses: 'write',
          },
        })),
      );
    const found = match('/app/installations/:id/access_tokens', path);
    const organization = app.installations.get(Number(found?.id));
    if (organization === undefined || request.method !== 'POST') return notFound;
    const token = `ghs_${randomUUID()}`;
    this.installationTokens.set(token, organization);
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

  #installed(path: string, request: DoubleRequest, organization: ForgeOrganization): DoubleAnswer {
    const own = this.state.repositories.filter((one) => one.organization === organization);
    const page = this.#page(
      path,
      request,
      own.map((one) => repositoryObject(this.url, one)),
    );
    return { ...page, json: { total_count: own.length, repositories: page.json } };
  }

  #page(path: string, { query }: DoubleRequest, items: readonly unknown[]): DoubleAnswer {
    const size = Math.min(Number(query.get('per_page') ?? 30), this.maxPageSize);
    const number = Math.max(1, Number(query.get('page') ?? 1));
    const next = new URLSearchParams(query);
    next.set('page', String(number + 1));
    const link = `<${this.url}/api/v3${path}?${next}>; rel="next"`;
    return {
      status: 200,
      headers: {
        'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': '4999',
        ...(number * size < items.length && { link }),
      },
      json: items.slice((number - 1) * size, number * size),
    };
  }

  /** What a token sees, or an app in the organization that it is installed on. */
  #shared(
    path: string,
    request: DoubleRequest,
    user: ForgeUser,
    installedOn?: ForgeOrganization,
  ): DoubleAnswer | undefined {
    const found = match('/orgs/:name/:what', path) ?? match('/orgs/:name/hooks/:hook', path);
    const organization = this.state.organizationNamed(found?.name);
    if (found !== undefined && organization !== undefined)
      return this.#ofOrganization(path, request, user, organization, found.what ?? 'hooks', found.hook);
    const parts = path.split('/');
    if (parts[1] !== 'repos') return undefined;
    const repository = this.state.repositoryNamed(parts[2], parts[3]);
    const mayRead =
      repository !== undefined &&
      (installedOn === undefined ? this.#canRead(repository, user) : repository.organization === installedOn);
    if (!mayRead) return notFound;
    const appId = installedOn === undefined ? null : this.app!.id;
    const asked = { double: this, request, repository, user, appId };
    const written = answerGitHubWriting(asked, path);
    if (written !== undefined) return written;
    const said = match('/repos/:owner/:name/issues/:number/comments', path);
    const pull = repository.pulls.get(Number(said?.number));
    if (pull !== undefined)
      return this.#page(
        path,
        request,
        pull.comments.map((comment) => conversationObject(asked, pull, comment)),
      );
    return this.#ofRepository(path, request, repository);
  }

  #canRead({ isPrivate, organization, readers }: ForgeRepository, { id }: ForgeUser): boolean {
    return !isPrivate || organization.owners.has(id) || readers.has(id);
  }

  #ofOrganization(
    path: string,
    request: DoubleRequest,
    user: ForgeUser,
    organization: ForgeOrganization,
    what: string,
    hook: string | undefined,
  ): DoubleAnswer | undefined {
    if (what === 'hooks') return this.#hooks(path, request, user, organization, hook);
    if (what === 'repos') {
      const seen = this.state.repositories.filter(
        (one) => one.organization === organization && this.#canRead(one, user),
      );
      return this.#page(
        path,
        request,
        seen.map((one) => ({ ...repositoryObject(this.url, one), permissions: { pull: true, push: true } })),
      );
    }
    if (what !== 'members') return undefined;
    const isAdmin = request.query.get('role') === 'admin';
    const people = [...organization.members]
      .filter((id) => organization.owners.has(id) === isAdmin)
      .map((id) => userObject(this.url, this.state.userById(id)));
    return this.#page(path, request, people);
  }

  #hooks(
    path: string,
    request: DoubleRequest,
    user: ForgeUser,
    { hooks, owners }: ForgeOrganization,
    id: string | undefined,
  ): DoubleAnswer {
    // GitHub does not even admit that there are hooks.
    if (!owners.has(user.id)) return notFound;
    const { method, body } = request;
    const view = ({ secret: _secret, url, ...rest }: ForgeHook) => ({
      ...rest,
      config: { url, content_type: 'json' },
    });
    if (method === 'POST') {
      if (body.name !== 'web' || !body.config?.url)
        return { status: 422, json: { message: 'Validation Failed' } };
      const { url, secret } = body.config;
      const hook = { id: this.state.nextId(), url, secret, events: body.events, active: body.active ?? true };
      hooks.push(hook);
      return { status: 201, json: view(hook) };
    }
    if (id === undefined) return this.#page(path, request, hooks.map(view));
    const hook = hooks.find((one) => String(one.id) === id);
    if (hook === undefined) return notFound;
    if (method === 'DELETE') {
      hooks.splice(hooks.indexOf(hook), 1);
      return { status: 204 };
    }
    Object.assign(hook, { ...body.config, events: body.events, active: body.active });
    return { status: 200, json: view(hook) };
  }

  #ofRepository(path: string, request: DoubleRequest, repository: ForgeRepository): DoubleAnswer | undefined {
    const { query } = request;
    const list = match('/repos/:owner/:name/:what', path);
    if (list?.what === 'collaborators') {
      const ids = new Set([...repository.organization.owners, ...repository.readers]);
      return this.#page(
        path,
        request,
        [...ids].map((id) => userObject(this.url, this.state.userById(id))),
      );
    }
    if (list?.what === 'pulls') {
      assertQuery(query, { state: 'all', sort: 'updated', direction: 'desc' });
      const newest = [...repository.pulls.values()].sort(
        (a, b) => b.updatedAt.getTime() - a.updatedAt.getTime(),
      );
      return this.#page(
        path,
        request,
        newest.map((pull) => pullRequestEvent(this.url, 'edited', pull, pull.author).pull_request),
      );
    }
    const found =
      match('/repos/:owner/:name/:kind/:number', path) ??
      match('/repos/:owner/:name/:kind/:number/:what', path);
    const pull = repository.pulls.get(Number(found?.number));
    if (found === undefined || pull === undefined) return undefined;
    switch (`${found.kind}/${found.what ?? ''}`) {
      case 'pulls/':
        return { status: 200, json: pullRequestEvent(this.url, 'edited', pull, pull.author).pull_request };
      case 'pulls/comments': {
        const comments = pull.reviews.flatMap((review) => review.comments);
        return this.#page(
          path,
          request,
          comments.map(({ id, user, body, at }) => ({
            id,
            user: userObject(this.url, user),
            body,
            html_url: `${this.url}/${repository.organization.name}/${repository.name}/pull/${pull.number}#discussion_r${id}`,
            created_at: at.toISOString(),
          })),
        );
      }
      case 'issues/timeline':
        return this.#page(path, request, this.#timeline(pull));
      default:
        return undefined;
    }
  }

  #timeline(pull: ForgePull): object[] {
    const user = (one: ForgeUser) => userObject(this.url, one);
    return [
      ...pull.commits.map(({ sha, at, isMerge }) => ({
        event: 'committed',
        sha,
        committer: { date: at.toISOString() },
        parents: isMerge ? [{}, {}] : [{}],
      })),
      ...pull.comments.map(({ user: by, at }) => ({
        event: 'commented',
        user: user(by),
        actor: user(by),
        created_at: at.toISOString(),
      })),
      ...pull.reviews.map(({ user: by, at, state, commit }) => ({
        event: 'reviewed',
        user: user(by),
        submitted_at: at.toISOString(),
        state,
        commit_id: commit,
      })),
      ...(pull.readyAt !== null && pull.readyAt > pull.createdAt
        ? [{ event: 'ready_for_review', actor: user(pull.author), created_at: pull.readyAt.toISOString() }]
        : []),
    ];
  }

  protected override hooksOf(repository: ForgeRepository): readonly ForgeHook[] {
    const { url, secret } = this.app?.hook ?? {};
    const ofApp =
      url === undefined || secret === undefined ? [] : [{ id: 0, url, secret, events: [], active: true }];
    return [...repository.organization.hooks, ...ofApp];
  }

  protected deliveriesOf(hook: ForgeHook, _organization: ForgeOrganization, change: ForgeChange): Delivery[] {
    const { event, payload } = eventOf(this.url, change);
    const body = JSON.stringify(payload);
    const id = randomUUID();
    const headers = {
      'content-type': 'application/json',
      'x-github-delivery': id,
      'x-github-event': event,
      'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(body).digest('hex')}`,
    };
    return [{ id, url: hook.url, headers, body }];
  }
}

function assertQuery(query: URLSearchParams, wanted: Record<string, string>): void {
  for (const [name, value] of Object.entries(wanted))
    if (query.get(name) !== value) throw new Error(`${name} must be ${value}`);
}

const actions = {
  opened: 'opened',
  pushed: 'synchronize',
  closed: 'closed',
  merged: 'closed',
  reopened: 'reopened',
  ready: 'ready_for_review',
} as const;

function eventOf(
  url: string,
  { kind, pull, by, comment, review }: ForgeChange,
): { event: string; payload: object } {
  if (kind === 'commented') return { event: 'issue_comment', payload: commentedEvent(url, pull, comment!) };
  if (kind === 'reviewed')
    return { event: 'pull_request_review', payload: reviewedEvent(url, pull, review!) };
  return { event: 'pull_request', payload: pullRequestEvent(url, actions[kind], pull, by) };
}
