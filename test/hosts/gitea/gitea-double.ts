import { createHmac, randomUUID } from 'node:crypto';
import type {
  ForgeChange,
  ForgeHook,
  ForgeOrganization,
  ForgeRepository,
  ForgeUser,
} from '../forge/forge-data.ts';
import { type Delivery, type DoubleAnswer, type DoubleRequest, HostDouble, match } from '../host-double.ts';
import { canRead, notFound, pageOf } from './gitea-answers.ts';
import { eventNames } from './gitea-events.ts';
import { answerOfOrganization } from './gitea-organizations.ts';
import { answerOfPull, listPulls } from './gitea-pulls.ts';
import { organizationView, pullView, repositoryView, userView } from './gitea-views.ts';
import { answerGiteaWriting } from './gitea-writing.ts';

const api = '/api/v1';
/**
 * A Gitea or Forgejo: one token for all requests, an empty page at the end of a list, `x-total-count`, and webhooks without
 * retries.
 */
export class GiteaDouble extends HostDouble {
  /** The setting `[api] MAX_RESPONSE_ITEMS`. */
  override maxPageSize = 50;
  /** Whether threads can be resolved: from Gitea 1.26; Forgejo answers 405. */
  hasResolve = false;
  /** Whether there are replies: from Gitea 1.27. */
  hasReplies = false;
  /** Whether a line past the end of a file is an error, as in newer Gitea, which leaves the comments so far as a draft. */
  failsPastTheEnd = false;

  protected answer(request: DoubleRequest): DoubleAnswer {
    const path = request.path.startsWith(api) ? request.path.slice(api.length) : undefined;
    if (path === undefined) return { status: 404 };
    if (path === '/version') return { status: 200, json: { version: '1.21.10+0' } };
    const user = this.tokens.get(request.headers.authorization?.replace(/^token /, '') ?? '');
    if (user === undefined) return { status: 401, json: { message: 'user does not exist [uid: 0, name: ]' } };
    return (
      this.#ofAccount(path, request, user) ??
      answerOfOrganization(this, path, request, user) ??
      this.#ofRepository(path, request, user) ??
      notFound
    );
  }

  #ofAccount(path: string, { query }: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    if (path === '/user') return { status: 200, json: userView(user) };
    if (path !== '/user/orgs') return undefined;
    const own = this.state.organizations.filter(({ members }) => members.has(user.id));
    return pageOf(this, query, own.map(organizationView));
  }

  #ofRepository(path: string, request: DoubleRequest, user: ForgeUser): DoubleAnswer | undefined {
    const { query } = request;
    const byId = match('/repositories/:id', path);
    if (byId !== undefined) {
      const repository = this.state.repositories.find(({ id }) => String(id) === byId.id);
      if (repository === undefined || !canRead(repository, user)) return notFound;
      return { status: 200, json: repositoryView(repository, user) };
    }
    const found = match('/repos/:owner/:name/:what', path);
    const repository = this.state.repositoryNamed(
      ...((([, , owner, name]) => [owner, name]) as (parts: string[]) => [string, string])(
        path.split('/').map(decodeURIComponent),
      ),
    );
    if (repository === undefined || !canRead(repository, user)) return undefined;
    if (found?.what === 'collaborators')
      return pageOf(
        this,
        query,
        [...repository.readers].map((id) => userView(this.state.userById(id))),
      );
    const asked = match('/repos/:owner/:name/collaborators/:login/permission', path);
    if (asked !== undefined) return this.#permission(repository, asked.login!, user);
    const [, , , , what, ...branch] = path.split('/').map(decodeURIComponent);
    if (what === 'branches') {
      const name = branch.join('/');
      return { status: 200, json: { name, protected: repository.protectedBranches.has(name) } };
    }
    if (found?.what === 'pulls') return listPulls(this, repository, query);
    if (request.method !== 'GET') return answerGiteaWriting(this, path, request, repository, user);
    return answerOfPull(this, path, repository, query, user);
  }

  /** Only admins of a repository can read the permissions of others. */
  #permission(repository: ForgeRepository, login: string, user: ForgeUser): DoubleAnswer {
    const asked = this.state.users.get(login);
    if (asked === undefined) return notFound;
    if (this.state.rightOf(repository, user) !== 'owner')
      return { status: 403, json: { message: 'Only admins can query all permissions' } };
    const permission = this.state.rightOf(repository, asked);
    return { status: 200, json: { permission, role_name: permission, user: userView(asked) } };
  }

  protected deliveriesOf(hook: ForgeHook, organization: ForgeOrganization, change: ForgeChange): Delivery[] {
    const [event, eventType, action] = eventNames(change);
    const { pull } = change;
    const body = JSON.stringify({
      action,
      number: pull.number,
      ...(event === 'issue_comment'
        ? { issue: { number: pull.number, pull_request: { merged: false } }, is_pull: true }
        : { pull_request: pullView(this, pull) }),
      // The event of a review does not contain its comments.
      ...(change.review !== undefined && { review: { type: eventType, content: change.review.body } }),
      repository: repositoryView(pull.repository, change.by),
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
