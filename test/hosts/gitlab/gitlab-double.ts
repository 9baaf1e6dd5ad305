import { createHmac, randomUUID } from 'node:crypto';
import {
  type ForgeChange,
  type ForgeHook,
  type ForgeOrganization,
  type ForgePull,
  type ForgeRepository,
  type ForgeUser,
  newestPulls,
} from '../forge/forge-data.ts';
import { type Delivery, type DoubleAnswer, type DoubleRequest, HostDouble, match } from '../host-double.ts';
import { listSubgroups } from './gitlab-subgroups.ts';
import { answerGitLabWriting, type GitLabDraft, userView } from './gitlab-writing.ts';

const notFound: DoubleAnswer = { status: 404, json: { message: '404 Not Found' } };
const ownerLevel = 50;
const developerLevel = 30;
const reporterLevel = 20;

/** A GitLab: `PRIVATE-TOKEN`, `x-next-page`, webhooks of projects (and of groups in the paid editions), both ways of signing. */
export class GitLabDouble extends HostDouble {
  /** Whether there are webhooks of groups, as in Premium and Ultimate. */
  hasGroupHooks = true;
  readonly projectHooks = new Map<number, ForgeHook[]>();
  /** Whether there are draft notes: from 15.11. */
  hasDrafts = true;
  /** Whether a status can be skipped: from 17.6. */
  hasSkipped = true;
  readonly draftNotes: GitLabDraft[] = [];

  protected answer(request: DoubleRequest): DoubleAnswer {
    if (!request.path.startsWith('/api/v4/')) return { status: 404 };
    const path = request.path.slice('/api/v4'.length);
    const user = this.tokens.get(String(request.headers['private-token'] ?? ''));
    if (user === undefined) return { status: 401, json: { message: '401 Unauthorized' } };
    if (path === '/user') return { status: 200, json: userView(user) };
    if (path === '/version') return { status: 200, json: { version: '18.5.0' } };
    if (path === '/groups')
      return this.#page(
        request,
        this.state.organizations
          .filter(({ members }) => members.has(user.id))
          .map(({ id, name }) => ({ id, full_path: name, parent_id: null })),
      );
    const listed = listSubgroups(this.state, path, user);
    if (listed !== undefined) return this.#page(request, listed);
    return this.#ofGroup(path, request, user) ?? this.#ofProject(path, request, user) ?? notFound;
  }

  #page({ query }: DoubleRequest, items: readonly unknown[]): DoubleAnswer {
    const size = Math.min(Number(query.get('per_page') ?? 20), this.maxPageSize);
    const number = Math.max(1, Number(query.get('page') ?? 1));
    return {
      status: 200,
      headers: { 'x-next-page': number * size < items.length ? String(number + 1) : '' },
      json: items.slice((number - 1) * size, number * size),
    };
  }

  #canRead({ isPrivate, organization, readers }: ForgeRepository, { id }: ForgeUser): boolean {
    return !isPrivate || organization.owners.has(id) || readers.has(id);
  }

  #memberView(organization: ForgeOrganization, id: number) {
    const level = organization.owners.has(id) ? ownerLevel : developerLevel;
    return { ...userView(this.state.userById(id)), access_level: level };
  }

  #ofGroup(path: string, request: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    const found =
      match('/groups/:id/projects', path) ??
      match('/groups/:id/members/all', path) ??
      match('/groups/:id/members/all/:member', path) ??
      match('/groups/:id/hooks', path) ??
      match('/groups/:id/hooks/:hook', path);
    const organization = this.state.organizations.find(({ id }) => String(id) === found?.id);
    if (found === undefined || organization === undefined || !organization.members.has(user.id))
      return undefined;
    if (path.includes('/hooks')) {
      if (!this.hasGroupHooks) return notFound;
      return this.#hooks(organization.hooks, organization, request, user, found.hook);
    }
    if (found.member !== undefined)
      return organization.members.has(Number(found.member))
        ? { status: 200, json: this.#memberView(organization, Number(found.member)) }
        : notFound;
    if (path.endsWith('/members/all'))
      return this.#page(
        request,
        [...organization.members].map((id) => this.#memberView(organization, id)),
      );
    const seen = this.state.repositories.filter(
      (one) => one.organization === organization && this.#canRead(one, user),
    );
    return this.#page(
      request,
      seen.map((one) => ({
        id: one.id,
        path_with_namespace: `${organization.name}/${one.name}`,
        visibility: one.isPrivate ? 'private' : 'public',
        archived: one.isArchived,
      })),
    );
  }

  #hooks(
    hooks: ForgeHook[],
    { owners }: ForgeOrganization,
    request: DoubleRequest,
    user: ForgeUser,
    id: string | undefined,
  ): DoubleAnswer {
    if (!owners.has(user.id)) return { status: 403, json: { message: '403 Forbidden' } };
    const { method, body } = request;
    const view = ({ id: hookId, url }: ForgeHook) => ({ id: hookId, url });
    if (method === 'POST') {
      if (body?.url === undefined) return { status: 400, json: { error: 'url is missing' } };
      const hook = { id: this.state.nextId(), url: body.url, secret: body.token, events: [], active: true };
      hooks.push(hook);
      return { status: 201, json: view(hook) };
    }
    if (id === undefined) return this.#page(request, hooks.map(view));
    const hook = hooks.find((one) => String(one.id) === id);
    if (hook === undefined) return notFound;
    if (method === 'DELETE') {
      hooks.splice(hooks.indexOf(hook), 1);
      return { status: 204 };
    }
    Object.assign(hook, { url: body.url, secret: body.token });
    return { status: 200, json: view(hook) };
  }

  #hooksOfProject(id: number): ForgeHook[] {
    const hooks = this.projectHooks.get(id) ?? [];
    this.projectHooks.set(id, hooks);
    return hooks;
  }

  #ofProject(path: string, request: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    const named = decodeURIComponent(path.split('/')[2] ?? '');
    const repository = this.state.repositories.find(
      (one) => String(one.id) === named || `${one.organization.name}/${one.name}` === named,
    );
    const id = repository?.id ?? 0;
    if (!path.startsWith('/projects/') || repository === undefined || !this.#canRead(repository, user))
      return undefined;
    const { organization } = repository;
    const hook = match('/projects/:id/hooks', path) ?? match('/projects/:id/hooks/:hook', path);
    if (hook !== undefined)
      return this.#hooks(this.#hooksOfProject(id), organization, request, user, hook.hook);
    const asked = match('/projects/:id/members/all/:member', path);
    if (asked !== undefined) {
      const right = this.state.rightOf(repository, { id: Number(asked.member) });
      const level = { owner: ownerLevel, write: developerLevel, read: reporterLevel, none: 0 }[right];
      if (level === 0) return notFound;
      const view = this.#memberView(organization, Number(asked.member));
      return { status: 200, json: { ...view, access_level: level } };
    }
    const name = match('/projects/:id/repository/branches/:branch', path)?.branch;
    if (name !== undefined)
      return { status: 200, json: { name, protected: repository.protectedBranches.has(name) } };
    if (match('/projects/:id/members/all', path) !== undefined)
      return this.#page(
        request,
        [...new Set([...organization.owners, ...repository.readers])].map((one) =>
          this.#memberView(organization, one),
        ),
      );
    if (match('/projects/:id/merge_requests', path) !== undefined) {
      const after = new Date(request.query.get('updated_after') ?? 0);
      const isOpen = request.query.get('state') === 'opened';
      const newest = newestPulls(repository.pulls.values(), isOpen).filter(
        ({ updatedAt }) => updatedAt >= after,
      );
      return this.#page(
        request,
        newest.map((pull) => this.#mergeView(pull)),
      );
    }
    const issue = match('/projects/:id/issues/:iid', path);
    if (issue !== undefined)
      return repository.issues.has(Number(issue.iid)) ? { status: 200, json: { iid: issue.iid } } : notFound;
    const written = answerGitLabWriting(this, path, request, repository, user);
    if (written !== undefined) return Array.isArray(written) ? this.#page(request, written) : written;
    const found =
      match('/projects/:id/merge_requests/:iid', path) ??
      match('/projects/:id/merge_requests/:iid/:what', path);
    const pull = repository.pulls.get(Number(found?.iid));
    return found === undefined || pull === undefined ? undefined : this.#ofMerge(pull, found.what, request);
  }

  #ofMerge(pull: ForgePull, what: string | undefined, request: DoubleRequest): DoubleAnswer | undefined {
    switch (what) {
      case undefined:
        return { status: 200, json: this.#mergeView(pull) };
      case 'closes_issues':
        return this.#page(
          request,
          (pull.linked ?? []).map((iid) => ({ id: 9_000 + iid, iid, project_id: pull.repository.id })),
        );
      case 'notes':
        return this.#page(request, notesOf(pull));
      case 'versions':
        return this.#page(
          request,
          pull.commits.toReversed().map(({ at, sha }) => ({
            created_at: at.toISOString(),
            base_commit_sha: '0'.repeat(40),
            start_commit_sha: '0'.repeat(40),
            head_commit_sha: sha,
          })),
        );
      case 'approvals':
        return {
          status: 200,
          json: {
            approved_by: pull.reviews
              .filter(({ state, isDismissed }) => state === 'approved' && !isDismissed)
              .map(({ user }) => ({ user: userView(user) })),
          },
        };
      case 'commits':
        return this.#page(
          request,
          pull.commits.toReversed().map(({ at, isMerge }) => ({
            committed_date: at.toISOString(),
            parent_ids: isMerge ? ['a', 'b'] : [],
          })),
        );
      default:
        return undefined;
    }
  }

  #mergeView(pull: ForgePull) {
    const instant = (date: Date | null) => date?.toISOString() ?? null;
    const { repository } = pull;
    return {
      iid: pull.number,
      web_url: `${this.url}/${repository.organization.name}/${repository.name}/-/merge_requests/${pull.number}`,
      state: pull.state === 'open' ? 'opened' : pull.state,
      draft: pull.isDraft,
      title: pull.title,
      description: pull.description,
      labels: pull.labels,
      author: userView(pull.author),
      created_at: instant(pull.createdAt),
      updated_at: instant(pull.updatedAt),
      merged_at: pull.state === 'merged' ? instant(pull.closedAt) : null,
      closed_at: pull.state === 'closed' ? instant(pull.closedAt) : null,
      // Users who have approved remain reviewers.
      reviewers: [
        ...pull.asked.users,
        ...pull.reviews.filter(({ state }) => state === 'approved').map(({ user }) => user),
      ].map(userView),
      changes_count: String(pull.size.files),
      sha: pull.commits.at(-1)!.sha,
      source_branch: 'topic',
      target_branch: pull.base.ref,
      source_project_id: repository.id + (pull.isFork ? 1_000_000 : 0),
      target_project_id: repository.id,
    };
  }

  protected override hooksOf(repository: ForgeRepository): readonly ForgeHook[] {
    return [...repository.organization.hooks, ...this.#hooksOfProject(repository.id)];
  }

  protected deliveriesOf(hook: ForgeHook, _organization: ForgeOrganization, change: ForgeChange): Delivery[] {
    const { pull, kind } = change;
    const project = { id: pull.repository.id };
    const isNote = kind === 'commented' || kind === 'reviewed';
    const body = JSON.stringify(
      isNote
        ? { object_kind: 'note', project, merge_request: { iid: pull.number } }
        : { object_kind: 'merge_request', project, object_attributes: { iid: pull.number, action: kind } },
    );
    const id = randomUUID();
    return [{ id, url: hook.url, headers: signedHeaders(hook, id, body, isNote), body }];
  }
}

/** The headers of a delivery. A secret with the prefix of Standard Webhooks signs it; any other is sent in plain text. */
function signedHeaders(
  { secret }: ForgeHook,
  id: string,
  body: string,
  isNote: boolean,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'x-gitlab-event': isNote ? 'Note Hook' : 'Merge Request Hook',
    'x-gitlab-event-uuid': id,
    'idempotency-key': id,
  };
  if (!secret.startsWith('whsec_')) return { ...headers, 'x-gitlab-token': secret };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    ...headers,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

function notesOf(pull: ForgePull): object[] {
  const notes = [
    ...pull.comments.map((comment) => ({ ...comment, type: null, system: false })),
    ...pull.reviews.flatMap((review) => [
      review.state === 'approved'
        ? { ...review, body: 'approved this merge request', type: null, system: true }
        : { ...review, type: 'DiscussionNote', system: false },
      ...review.comments.map((comment) => ({ ...comment, type: 'DiffNote', system: false })),
    ]),
    ...(pull.readyAt !== null && pull.readyAt > pull.createdAt
      ? [
          {
            id: 0,
            user: pull.author,
            body: 'marked this merge request as **ready**',
            at: pull.readyAt,
            type: null,
            system: true,
          },
        ]
      : []),
  ];
  return notes
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ id, type, system, body, user, at, ...note }) => ({
      id,
      type,
      system,
      body,
      author: userView(user),
      created_at: at.toISOString(),
      updated_at: (('editedAt' in note && note.editedAt) || at).toISOString(),
    }));
}
