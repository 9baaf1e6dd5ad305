import { createHmac, randomUUID } from 'node:crypto';
import type {
  ForgeChange,
  ForgeComment,
  ForgeHook,
  ForgeOrganization,
  ForgePull,
  ForgeRepository,
  ForgeUser,
} from './forge-state.ts';
import { instant, reviewView, userView } from './gitea-views.ts';
import { answerGiteaWriting } from './gitea-writing.ts';
import { type Delivery, type DoubleAnswer, type DoubleRequest, HostDouble, match } from './host-double.ts';

const api = '/api/v1';
const notFound: DoubleAnswer = {
  status: 404,
  json: { message: "The target couldn't be found.", url: 'http://gitea/api/swagger', errors: [] },
};

const organizationView = ({ id, name }: ForgeOrganization) => ({ id, name, username: name });

/** A Gitea or Forgejo: a token for everything, empty pages at the end, `x-total-count`, and hooks that are never retried. */
export class GiteaDouble extends HostDouble {
  /** `[api] MAX_RESPONSE_ITEMS` */
  override maxPageSize = 50;
  /** From Gitea 1.26; Forgejo answers 405. */
  hasResolve = false;
  /** From Gitea 1.27. */
  hasReplies = false;
  /** Newer Gitea fails for a line past the end of a file, and leaves what it has done so far as a draft. */
  failsPastTheEnd = false;

  #pullView(pull: ForgePull) {
    const { repository, commits } = pull;
    return {
      id: pull.id,
      number: pull.number,
      html_url: `${this.url}/${repository.organization.name}/${repository.name}/pulls/${pull.number}`,
      state: pull.state === 'open' ? 'open' : 'closed',
      draft: pull.isDraft,
      title: pull.title,
      body: 'a description',
      labels: pull.labels.length === 0 ? null : pull.labels.map((name) => ({ name })),
      user: userView(pull.author),
      created_at: instant(pull.createdAt),
      updated_at: instant(pull.updatedAt),
      merged: pull.state === 'merged',
      merged_at: pull.state === 'merged' ? instant(pull.closedAt!) : null,
      closed_at: pull.closedAt === null ? null : instant(pull.closedAt),
      head: {
        sha: commits.at(-1)!.sha,
        ref: 'topic',
        repo_id: repository.id + (pull.isFork ? 1_000_000 : 0),
      },
      base: { ...pull.base, repo_id: repository.id },
    };
  }

  #repositoryView(repository: ForgeRepository, reader: ForgeUser) {
    return {
      id: repository.id,
      name: repository.name,
      full_name: `${repository.organization.name}/${repository.name}`,
      private: repository.isPrivate,
      archived: repository.isArchived,
      permissions: {
        admin: repository.organization.owners.has(reader.id),
        push: repository.organization.owners.has(reader.id),
        pull: true,
      },
    };
  }

  #canRead(repository: ForgeRepository, reader: ForgeUser): boolean {
    return (
      !repository.isPrivate ||
      repository.organization.owners.has(reader.id) ||
      repository.readers.has(reader.id)
    );
  }

  #page(query: URLSearchParams, items: readonly unknown[], total = items.length): DoubleAnswer {
    const limit = Math.min(Number(query.get('limit') ?? 30), this.maxPageSize);
    const start = (Math.max(1, Number(query.get('page') ?? 1)) - 1) * limit;
    return {
      status: 200,
      headers: { 'x-total-count': String(total) },
      json: items.slice(start, start + limit),
    };
  }

  protected answer(request: DoubleRequest): DoubleAnswer {
    const path = request.path.startsWith(api) ? request.path.slice(api.length) : undefined;
    if (path === undefined) return { status: 404 };
    if (path === '/version') return { status: 200, json: { version: '1.21.10+0' } };
    const user = this.tokens.get(request.headers.authorization?.replace(/^token /, '') ?? '');
    if (user === undefined) return { status: 401, json: { message: 'user does not exist [uid: 0, name: ]' } };
    return (
      this.#ofAccount(path, request, user) ??
      this.#ofOrganization(path, request, user) ??
      this.#ofRepository(path, request, user) ??
      notFound
    );
  }

  #ofAccount(path: string, { query }: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    if (path === '/user') return { status: 200, json: userView(user) };
    if (path !== '/user/orgs') return undefined;
    const own = this.state.organizations.filter(({ members }) => members.has(user.id));
    return this.#page(query, own.map(organizationView));
  }

  #ofOrganization(path: string, request: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    const { query } = request;
    const people = (ids: Iterable<number>) => [...ids].map((id) => userView(this.state.userById(id)));
    const team = match('/teams/:id/:what', path);
    if (team !== undefined) {
      const organization = this.state.organizations.find(({ id }) => String(id) === team.id);
      if (organization === undefined || !organization.members.has(user.id)) return notFound;
      return team.what === 'members' ? this.#page(query, people(organization.owners)) : notFound;
    }
    const found = match('/orgs/:name/:what', path) ?? match('/orgs/:name/hooks/:hook', path);
    const organization = this.state.organizationNamed(found?.name);
    if (found === undefined || organization === undefined) return undefined;
    if (found.hook !== undefined || found.what === 'hooks')
      return this.#hooks(organization, request, user, found.hook);
    const repositories = this.state.repositories.filter(
      (one) => one.organization === organization && this.#canRead(one, user),
    );
    switch (found.what) {
      case 'repos':
        return this.#page(
          query,
          repositories.map((one) => this.#repositoryView(one, user)),
        );
      case 'members':
        return this.#page(query, people(organization.members));
      case 'teams':
        // The owners' team has the id of its organization here.
        return this.#page(query, [
          { id: organization.id, name: 'Owners', permission: 'owner', includes_all_repositories: true },
        ]);
      default:
        return undefined;
    }
  }

  #hooks(
    { hooks, owners }: ForgeOrganization,
    { method, query, body }: DoubleRequest,
    user: ForgeUser,
    id: string | undefined,
  ): DoubleAnswer {
    if (!owners.has(user.id)) return { status: 403, json: { message: 'Must be an organization owner' } };
    const view = ({ secret: _secret, url, ...hook }: ForgeHook) => ({
      ...hook,
      type: 'gitea',
      config: { url, content_type: 'json' },
    });
    if (method === 'POST') {
      if (body?.config?.url === undefined || body.config.content_type !== 'json' || body.type !== 'gitea')
        return { status: 422, json: { message: 'Missing config option' } };
      const { url, secret } = body.config;
      const hook = {
        id: this.state.nextId(),
        url,
        secret,
        events: body.events,
        active: body.active ?? false,
      };
      hooks.push(hook);
      return { status: 201, json: view(hook) };
    }
    if (id === undefined) return this.#page(query, hooks.map(view));
    const hook = hooks.find((one) => String(one.id) === id);
    if (hook === undefined) return notFound;
    if (method === 'DELETE') {
      hooks.splice(hooks.indexOf(hook), 1);
      return { status: 204 };
    }
    if (body?.config !== undefined) Object.assign(hook, { url: body.config.url, secret: body.config.secret });
    Object.assign(hook, { events: body.events ?? hook.events, active: body.active ?? hook.active });
    return { status: 200, json: view(hook) };
  }

  #ofRepository(path: string, request: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    const { query } = request;
    const byId = match('/repositories/:id', path);
    if (byId !== undefined) {
      const repository = this.state.repositories.find(({ id }) => String(id) === byId.id);
      if (repository === undefined || !this.#canRead(repository, user)) return notFound;
      return { status: 200, json: this.#repositoryView(repository, user) };
    }
    const found = match('/repos/:owner/:name/:what', path);
    const repository = this.state.repositoryNamed(
      ...((([, , owner, name]) => [owner, name]) as (parts: string[]) => [string, string])(
        path.split('/').map(decodeURIComponent),
      ),
    );
    if (repository === undefined || !this.#canRead(repository, user)) return undefined;
    if (found?.what === 'collaborators')
      return this.#page(
        query,
        [...repository.readers].map((id) => userView(this.state.userById(id))),
      );
    if (found?.what === 'pulls') return this.#pulls(repository, query);
    if (request.method !== 'GET') return answerGiteaWriting(this, path, request, repository, user);
    return this.#ofPull(path, repository, query, user);
  }

  #pulls({ pulls }: ForgeRepository, query: URLSearchParams): DoubleAnswer {
    if (query.get('state') !== 'all' || query.get('sort') !== 'recentupdate')
      return { status: 422, json: {} };
    const newest = [...pulls.values()].sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
    return this.#page(
      query,
      newest.map((pull) => this.#pullView(pull)),
    );
  }

  #ofPull(
    path: string,
    repository: ForgeRepository,
    query: URLSearchParams,
    user: ForgeUser,
  ): DoubleAnswer | undefined {
    const found =
      match('/repos/:owner/:name/:kind/:number', path) ??
      match('/repos/:owner/:name/:kind/:number/:what', path) ??
      match('/repos/:owner/:name/:kind/:number/:what/:review/comments', path);
    const pull = repository.pulls.get(Number(found?.number));
    if (found === undefined || pull === undefined) return undefined;
    switch (`${found.kind}/${found.what ?? ''}`) {
      case 'pulls/':
        return { status: 200, json: this.#pullView(pull) };
      case 'pulls/commits':
        return this.#page(query, pull.commits.toReversed().map(commitView));
      case 'pulls/reviews':
        if (found.review === undefined) {
          const drafts = pull.drafts.filter((draft) => draft.user === user);
          return this.#page(query, [...pull.reviews, ...drafts].map(reviewView));
        }
        return this.#reviewComments(pull, found.review);
      case 'issues/comments':
        // Gitea does not page comments: whatever is asked for, all are given.
        return {
          status: 200,
          headers: { 'x-total-count': String(pull.comments.length) },
          json: pull.comments.map((comment) => this.commentView(pull, comment)),
        };
      case 'issues/timeline':
        return this.#timeline(pull, query);
      default:
        return undefined;
    }
  }

  #reviewComments(pull: ForgePull, id: string): DoubleAnswer {
    const review = [...pull.reviews, ...pull.drafts].find((one) => String(one.id) === id);
    if (review === undefined) return notFound;
    return {
      status: 200,
      json: review.comments.map((comment) => ({
        ...this.commentView(pull, comment),
        path: comment.place.path,
        commit_id: comment.commit,
        position: comment.place.side === 'new' ? comment.place.line : 0,
        original_position: comment.place.side === 'old' ? comment.place.line : 0,
        pull_request_review_id: review.id,
        resolver: comment.resolver && userView(comment.resolver),
      })),
    };
  }

  #timeline(pull: ForgePull, query: URLSearchParams): DoubleAnswer {
    const entries = [
      ...pull.comments.map(({ id, at }) => ({ id, type: 'comment', created_at: instant(at) })),
      ...(pull.readyAt !== null && pull.readyAt > pull.createdAt
        ? [
            {
              id: 0,
              type: 'change_title',
              created_at: instant(pull.readyAt),
              old_title: 'WIP: change',
              new_title: 'change',
            },
          ]
        : []),
    ];
    const page = this.#page(query, entries);
    // The timeline counts what is on the page, not what there is.
    return { ...page, headers: { 'x-total-count': String((page.json as unknown[]).length) } };
  }

  commentView(pull: ForgePull, { id, user, body, at }: ForgeComment) {
    return {
      id,
      html_url: `${this.#pullView(pull).html_url}#issuecomment-${id}`,
      user: userView(user),
      body,
      created_at: instant(at),
    };
  }

  protected deliveriesOf(hook: ForgeHook, organization: ForgeOrganization, change: ForgeChange): Delivery[] {
    const [event, eventType, action] = eventNames(change);
    const { pull } = change;
    const body = JSON.stringify({
      action,
      number: pull.number,
      ...(event === 'issue_comment'
        ? { issue: { number: pull.number, pull_request: { merged: false } }, is_pull: true }
        : { pull_request: this.#pullView(pull) }),
      // A review comes without its comments.
      ...(change.review !== undefined && { review: { type: eventType, content: change.review.body } }),
      repository: this.#repositoryView(pull.repository, change.by),
      organization: organizationView(organization),
      sender: userView(change.by),
    });
    const id = randomUUID();
    const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-gitea-delivery': id,
      'x-gitea-event': event,
      'x-gitea-event-type': eventType,
      'x-gitea-signature': signature,
      'x-forgejo-delivery': id,
      'x-forgejo-event': event,
      'x-forgejo-event-type': eventType,
      'x-forgejo-signature': signature,
      'x-hub-signature-256': `sha256=${signature}`,
    };
    return [{ id, url: hook.url, headers, body }];
  }
}

const commitView = ({ sha, at, isMerge }: ForgePull['commits'][number]) => ({
  sha,
  parents: isMerge ? [{}, {}] : [{}],
  commit: { committer: { date: instant(at) } },
});

/** The event, its exact type, and the action in the body. */
function eventNames({ kind, review }: ForgeChange): [string, string, string] {
  switch (kind) {
    case 'pushed':
      return ['pull_request', 'pull_request_sync', 'synchronized'];
    case 'commented':
      return ['issue_comment', 'pull_request_comment', 'created'];
    case 'reviewed': {
      const type = { approved: 'approved', changes_requested: 'rejected', commented: 'comment', pending: '' };
      const name = `pull_request_${type[review!.state]}`;
      return [name, name.replace('request_', 'request_review_'), 'reviewed'];
    }
    case 'merged':
      return ['pull_request', 'pull_request', 'closed'];
    case 'ready':
      return ['pull_request', 'pull_request', 'edited'];
    default:
      return ['pull_request', 'pull_request', kind];
  }
}
