import {
  type ForgePull,
  type ForgeRepository,
  type ForgeReview,
  type ForgeUser,
  newestPulls,
} from '../forge/forge-data.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import { pageOf } from './github-answers.ts';
import type { GitHubDouble } from './github-double.ts';
import { pullRequestEvent, userObject } from './github-payloads.ts';

export function answerOfRepository(
  double: GitHubDouble,
  path: string,
  request: DoubleRequest,
  repository: ForgeRepository,
  user: ForgeUser,
): DoubleAnswer | undefined {
  const { query } = request;
  const list = match('/repos/:owner/:name/:what', path);
  if (list?.what === 'collaborators') {
    const ids = new Set([...repository.organization.owners, ...repository.readers]);
    return pageOf(
      double,
      path,
      request,
      [...ids].map((id) => userObject(double.url, double.state.userById(id))),
    );
  }
  if (list?.what === 'pulls') {
    const isOpen = query.get('state') === 'open';
    assertQuery(query, { state: isOpen ? 'open' : 'all', sort: 'updated', direction: 'desc' });
    const newest = newestPulls(repository.pulls.values(), isOpen);
    return pageOf(
      double,
      path,
      request,
      newest.map((pull) => pullRequestEvent(double.url, 'edited', pull, pull.author).pull_request),
    );
  }
  const found =
    match('/repos/:owner/:name/:kind/:number', path) ??
    match('/repos/:owner/:name/:kind/:number/:what', path);
  if (found?.kind === 'issues' && found.what === undefined && repository.issues.has(Number(found.number)))
    return { status: 200, json: { number: Number(found.number) } };
  const pull = repository.pulls.get(Number(found?.number));
  if (found === undefined || pull === undefined) return undefined;
  switch (`${found.kind}/${found.what ?? ''}`) {
    case 'pulls/':
      return {
        status: 200,
        json: {
          ...pullRequestEvent(double.url, 'edited', pull, pull.author).pull_request,
          requested_reviewers: pull.asked.users.map((user) => userObject(double.url, user)),
          requested_teams: pull.asked.teams.map(({ id, name }) => ({ id, name })),
          additions: pull.size.added,
          deletions: pull.size.removed,
          changed_files: pull.size.files,
        },
      };
    case 'issues/':
      return { status: 200, json: { number: pull.number, pull_request: {} } };
    case 'pulls/reviews':
      return pageOf(
        double,
        path,
        request,
        [...pull.reviews, ...draftsOf(pull, user)].map(
          ({ id, user: by, body, state, commit, isDismissed }) => ({
            id,
            user: userObject(double.url, by),
            body,
            state: isDismissed ? 'DISMISSED' : state.toUpperCase(),
            commit_id: commit,
          }),
        ),
      );
    case 'pulls/comments': {
      const comments = pull.reviews.flatMap((review) => review.comments);
      return pageOf(
        double,
        path,
        request,
        comments.map(({ id, user: by, body, at }) => ({
          id,
          user: userObject(double.url, by),
          body,
          html_url: `${double.url}/${repository.organization.name}/${repository.name}/pull/${pull.number}#discussion_r${id}`,
          created_at: at.toISOString(),
        })),
      );
    }
    case 'issues/timeline':
      return pageOf(double, path, request, timeline(double, pull));
    default:
      return undefined;
  }
}

/** The drafts that GitHub shows to somebody: their own. */
export function draftsOf({ drafts }: ForgePull, { id }: ForgeUser): ForgeReview[] {
  return drafts.filter(({ user }) => user.id === id);
}

function timeline(double: GitHubDouble, pull: ForgePull): object[] {
  const user = (one: ForgeUser) => userObject(double.url, one);
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

function assertQuery(query: URLSearchParams, wanted: Record<string, string>): void {
  for (const [name, value] of Object.entries(wanted))
    if (query.get(name) !== value) throw new Error(`${name} must be ${value}`);
}
