import { type ForgePull, type ForgeRepository, type ForgeUser, newestPulls } from '../forge/forge-data.ts';
import { type DoubleAnswer, match } from '../host-double.ts';
import { notFound, pageOf } from './gitea-answers.ts';
import type { GiteaDouble } from './gitea-double.ts';
import { commentView, commitView, instant, pullView, reviewView, userView } from './gitea-views.ts';

export function listPulls(
  double: GiteaDouble,
  { pulls }: ForgeRepository,
  query: URLSearchParams,
): DoubleAnswer {
  const state = query.get('state');
  if ((state !== 'all' && state !== 'open') || query.get('sort') !== 'recentupdate')
    return { status: 422, json: {} };
  const newest = newestPulls(pulls.values(), state === 'open');
  return pageOf(
    double,
    query,
    newest.map((pull) => pullView(double, pull)),
  );
}

export function answerOfPull(
  double: GiteaDouble,
  path: string,
  repository: ForgeRepository,
  query: URLSearchParams,
  user: ForgeUser,
): DoubleAnswer | undefined {
  const found =
    match('/repos/:owner/:name/:kind/:number', path) ??
    match('/repos/:owner/:name/:kind/:number/:what', path) ??
    match('/repos/:owner/:name/:kind/:number/:what/:review/comments', path);
  if (found?.kind === 'issues' && found.what === undefined && repository.issues.has(Number(found.number)))
    return { status: 200, json: { number: Number(found.number), pull_request: null } };
  const pull = repository.pulls.get(Number(found?.number));
  if (found === undefined || pull === undefined) return undefined;
  switch (`${found.kind}/${found.what ?? ''}`) {
    case 'pulls/':
      return { status: 200, json: pullView(double, pull) };
    case 'pulls/commits':
      return pageOf(double, query, pull.commits.toReversed().map(commitView));
    case 'pulls/reviews':
      if (found.review === undefined) {
        const drafts = pull.drafts.filter((draft) => draft.user === user);
        return pageOf(
          double,
          query,
          [...pull.reviews, ...drafts].map((review) => reviewView(review, pull)),
        );
      }
      return reviewComments(double, pull, found.review);
    case 'issues/':
      return { status: 200, json: { number: pull.number, pull_request: { merged: false } } };
    case 'issues/comments':
      // Gitea does not page comments: it always returns all of them.
      return {
        status: 200,
        headers: { 'x-total-count': String(pull.comments.length) },
        json: pull.comments.map((comment) => commentView(double, pull, comment)),
      };
    case 'issues/timeline':
      return timeline(double, pull, query);
    default:
      return undefined;
  }
}

function reviewComments(double: GiteaDouble, pull: ForgePull, id: string): DoubleAnswer {
  const review = [...pull.reviews, ...pull.drafts].find((one) => String(one.id) === id);
  if (review === undefined) return notFound;
  return {
    status: 200,
    json: review.comments.map((comment) => ({
      ...commentView(double, pull, comment),
      path: comment.place.path,
      commit_id: comment.commit,
      position: comment.place.side === 'new' ? comment.place.line : 0,
      original_position: comment.place.side === 'old' ? comment.place.line : 0,
      pull_request_review_id: review.id,
      resolver: comment.resolver && userView(comment.resolver),
    })),
  };
}

function timeline(double: GiteaDouble, pull: ForgePull, query: URLSearchParams): DoubleAnswer {
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
  const page = pageOf(double, query, entries);
  // In the timeline, the header counts only the entries on the page.
  return { ...page, headers: { 'x-total-count': String((page.json as unknown[]).length) } };
}
