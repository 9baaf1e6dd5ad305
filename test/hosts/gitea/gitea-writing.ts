import type { ForgePlace, ForgePull, ForgeRepository, ForgeUser } from '../forge/forge-data.ts';
import { hunksOf } from '../forge/forge-diff.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import type { GiteaDouble } from './gitea-double.ts';
import { commentView, reviewView } from './gitea-views.ts';

const notFound: DoubleAnswer = { status: 404, json: { message: "The target couldn't be found." } };
const notAllowed: DoubleAnswer = { status: 405 };

interface Said {
  readonly path: string;
  readonly body: string;
  readonly new_position?: number;
  readonly old_position?: number;
}

function placeOf({ path, new_position = 0, old_position = 0 }: Said): ForgePlace {
  const line = new_position || old_position;
  return { path, side: new_position > 0 ? 'new' : 'old', startLine: line, line };
}

function isPastTheEnd(pull: ForgePull, { path, line }: ForgePlace): boolean {
  const last = hunksOf(pull, path)?.flat().at(-1);
  return last === undefined || line > Math.max(last.newLine, last.oldLine) + 100;
}

/** Adds comments to the account's draft, if there is one. Any place is accepted, or the server fails midway. */
function postReview(
  double: GiteaDouble,
  pull: ForgePull,
  { body }: DoubleRequest,
  user: ForgeUser,
): DoubleAnswer {
  const { state } = double;
  const { comments = [], event = '', body: text = '', commit_id } = body ?? {};
  if (event === 'COMMENT' && text === '' && comments.length === 0)
    return { status: 422, json: { message: 'review event COMMENT need body' } };
  const open = pull.drafts.find((draft) => draft.user === user);
  const draft = open ?? state.draft(pull, user, text, [], commit_id);
  for (const said of comments as Said[]) {
    const place = placeOf(said);
    if (double.failsPastTheEnd && isPastTheEnd(pull, place)) return { status: 500, json: { message: '' } };
    const [added] = state.draft(pull, user, '', [{ body: said.body, place }], draft.commit).comments;
    pull.drafts.pop();
    draft.comments.push(added!);
  }
  const review = event === 'COMMENT' ? state.submit(pull, draft) : draft;
  return { status: 200, json: reviewView(review, pull) };
}

function ofPull(
  double: GiteaDouble,
  what: string,
  id: string | undefined,
  request: DoubleRequest,
  pull: ForgePull,
  user: ForgeUser,
): DoubleAnswer {
  const { state } = double;
  switch (`${request.method} ${what}`) {
    case 'POST reviews':
      return postReview(double, pull, request, user);
    case 'DELETE reviews': {
      const draft = pull.drafts.find((one) => String(one.id) === id && one.user === user);
      if (draft === undefined) return { status: 403, json: { message: 'only the author may delete it' } };
      pull.drafts.splice(pull.drafts.indexOf(draft), 1);
      return { status: 204 };
    }
    case 'POST comments': {
      const root = state.lineComments(pull).find((one) => String(one.id) === id);
      if (!double.hasReplies) return notFound;
      if (root === undefined) return notFound;
      return {
        status: 201,
        json: commentView(double, pull, state.answer(pull, user, root, request.body.body)),
      };
    }
    default:
      return notFound;
  }
}

/** Answers the requests of an account that write on Gitea and Forgejo. */
export function answerGiteaWriting(
  double: GiteaDouble,
  path: string,
  request: DoubleRequest,
  repository: ForgeRepository,
  user: ForgeUser,
): DoubleAnswer {
  const { state } = double;
  const { method, body } = request;
  const pulls = [...repository.pulls.values()];
  const status = match('/repos/:owner/:name/statuses/:sha', path);
  if (status !== undefined && method === 'POST') {
    if (!['pending', 'success', 'error', 'failure', 'warning'].includes(body?.state))
      return { status: 422, json: { message: '[State]: unknown' } };
    const { context: name, state: shown, description: title, target_url: url = null } = body;
    state.setStatus(repository, { sha: status.sha!, name, state: shown, title, url });
    return { status: 201, json: { id: 1, status: shown, context: name } };
  }
  const edited = match('/repos/:owner/:name/issues/comments/:id', path);
  if (edited !== undefined && method === 'PATCH') {
    for (const pull of pulls)
      for (const comment of pull.comments)
        if (String(comment.id) === edited.id) {
          if (comment.user !== user) return { status: 403, json: { message: 'not the author' } };
          comment.body = body.body;
          return { status: 200, json: commentView(double, pull, comment) };
        }
    return notFound;
  }
  const resolved = match('/repos/:owner/:name/pulls/comments/:id/resolve', path);
  if (resolved !== undefined) {
    if (!double.hasResolve) return notAllowed;
    const comment = pulls
      .flatMap((pull) => state.lineComments(pull))
      .find(({ id }) => String(id) === resolved.id);
    if (comment === undefined) return notFound;
    comment.resolver = user;
    return { status: 204 };
  }
  const found =
    match('/repos/:owner/:name/pulls/:number/:what', path) ??
    match('/repos/:owner/:name/pulls/:number/:what/:id', path) ??
    match('/repos/:owner/:name/pulls/:number/:what/:id/replies', path);
  const said = match('/repos/:owner/:name/issues/:number/comments', path);
  const pull = repository.pulls.get(Number((found ?? said)?.number));
  if (pull === undefined) return notFound;
  if (said !== undefined && method === 'POST')
    return { status: 201, json: commentView(double, pull, state.comment(pull, user, body.body)) };
  return found === undefined ? notFound : ofPull(double, found.what!, found.id, request, pull, user);
}
