import { createHmac, randomUUID } from 'node:crypto';
import type {
  ForgeChange,
  ForgeHook,
  ForgeOrganization,
  ForgeRepository,
  ForgeUser,
} from '../forge/forge-data.ts';
import { type Delivery, type DoubleAnswer, type DoubleRequest, HostDouble, match } from '../host-double.ts';
import { canRead, notFound, pageOf } from './github-answers.ts';
import { answerAsApp, appOfManifest, type GitHubApp, installedRepositories } from './github-app.ts';
import { answerGraphql } from './github-graphql.ts';
import { answerOfOrganization, answerTeamMembers } from './github-organizations.ts';
import { eventOf, userObject } from './github-payloads.ts';
import { answerOfRepository } from './github-pulls.ts';
import { answerGitHubWriting, conversationObject } from './github-writing.ts';

/**
 * GitHub Enterprise Server: a token or an app, links to the next page, rate limits in headers, events validated with GitHub's
 * schemas.
 */
export class GitHubDouble extends HostDouble {
  app: GitHubApp | undefined;
  /** The kinds of rules in a ruleset for all branches. */
  branchRules: readonly string[] = [];
  readonly installationTokens = new Map<string, ForgeOrganization>();

  readonly #manifestCodes = new Map<string, object>();

  /** Confirms an App from its manifest, like a person; returns the single-use code that the browser is redirected with. */
  createApp(manifest: { readonly hook_attributes: { readonly url: string } }): string {
    const { app, told } = appOfManifest(this, manifest);
    this.app = app;
    const code = randomUUID();
    this.#manifestCodes.set(code, told);
    return code;
  }

  #convert(code: string): DoubleAnswer {
    const app = this.#manifestCodes.get(code);
    this.#manifestCodes.delete(code);
    return app === undefined ? notFound : { status: 201, json: app };
  }

  /** Answers calls to `{url}/api/v3`, as on Enterprise Server. */
  protected answer(request: DoubleRequest): DoubleAnswer {
    if (request.path === '/api/graphql') return this.#graphql(request);
    if (!request.path.startsWith('/api/v3/')) return { status: 404 };
    const path = request.path.slice('/api/v3'.length);
    if (path === '/meta') return { status: 200, json: {} };
    const conversion = match('/app-manifests/:code/conversions', path);
    if (conversion !== undefined && request.method === 'POST') return this.#convert(conversion.code!);
    const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme?.toLowerCase() === 'bearer' && value.split('.').length === 3)
      return answerAsApp(this, path, request, value);
    const organization = this.installationTokens.get(value);
    if (organization !== undefined) {
      if (path === '/installation/repositories')
        return installedRepositories(this, path, request, organization);
      return this.#shared(path, request, this.appUser, organization) ?? notFound;
    }
    const user = this.tokens.get(value);
    if (user === undefined) return { status: 401, json: { message: 'Bad credentials' } };
    if (path === '/user') return { status: 200, json: userObject(this.url, user) };
    if (path === '/user/orgs')
      return pageOf(
        this,
        path,
        request,
        this.state.organizations
          .filter(({ members }) => members.has(user.id))
          .map(({ id, name }) => ({ id, login: name })),
      );
    return this.#shared(path, request, user) ?? notFound;
  }

  /** The account that the app writes as; its id is not that of the app. */
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

  /** Answers requests that tokens and installed apps have in common. */
  #shared(
    path: string,
    request: DoubleRequest,
    user: ForgeUser,
    installedOn?: ForgeOrganization,
  ): DoubleAnswer | undefined {
    const found = match('/orgs/:name/:what', path) ?? match('/orgs/:name/hooks/:hook', path);
    const organization = this.state.organizationNamed(found?.name);
    if (found !== undefined && organization !== undefined)
      return answerOfOrganization(this, path, request, user, organization, found.what ?? 'hooks', found.hook);
    const team = match('/orgs/:name/teams/:slug/members', path);
    const ofTeam = this.state.organizationNamed(team?.name);
    if (ofTeam !== undefined) return answerTeamMembers(this, path, request, ofTeam, team!.slug!);
    const parts = path.split('/');
    if (parts[1] !== 'repos') return undefined;
    const repository = this.state.repositoryNamed(parts[2], parts[3]);
    const mayRead =
      repository !== undefined &&
      (installedOn === undefined ? canRead(repository, user) : repository.organization === installedOn);
    if (!mayRead) return notFound;
    const appId = installedOn === undefined ? null : this.app!.id;
    const asked = { double: this, request, repository, user, appId };
    const person = match('/repos/:owner/:name/collaborators/:login/permission', path);
    if (person !== undefined) return this.#permission(repository, person.login!);
    const branch = match('/repos/:owner/:name/branches/:branch', path)?.branch;
    if (branch !== undefined) return this.#branch(repository, branch);
    if (match('/repos/:owner/:name/rules/branches/:branch', path) !== undefined)
      return pageOf(
        this,
        path,
        request,
        this.branchRules.map((type) => ({ type })),
      );
    const written = answerGitHubWriting(asked, path);
    if (written !== undefined) return written;
    const said = match('/repos/:owner/:name/issues/:number/comments', path);
    const pull = repository.pulls.get(Number(said?.number));
    if (pull !== undefined)
      return pageOf(
        this,
        path,
        request,
        pull.comments.map((comment) => conversationObject(asked, pull, comment)),
      );
    return answerOfRepository(this, path, request, repository, user);
  }

  #branch({ protectedBranches }: ForgeRepository, name: string): DoubleAnswer {
    const enabled = protectedBranches.has(name);
    const isProtected = enabled || this.branchRules.length > 0;
    return { status: 200, json: { name, protected: isProtected, protection: { enabled } } };
  }

  #permission(repository: ForgeRepository, login: string): DoubleAnswer {
    const asked = this.state.users.get(login);
    if (asked === undefined) return notFound;
    const right = this.state.rightOf(repository, asked);
    const permission = right === 'owner' ? 'admin' : right;
    return { status: 200, json: { permission, role_name: permission, user: userObject(this.url, asked) } };
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
