import type {
  ForgeLineComment,
  ForgePull,
  ForgeRepository,
  ForgeStatus,
  ForgeUser,
} from '../forge/forge-data.ts';
import { linesAt } from '../forge/forge-diff.ts';
import { type DoubleAnswer, type DoubleRequest, match } from '../host-double.ts';
import type { GitHubDouble } from './github-double.ts';
import { userObject } from './github-payloads.ts';
import { draftsOf } from './github-pulls.ts';

const notFound: DoubleAnswer = { status: 404, json: { message: 'Not Found' } };
const maxBodyLength = 65_536;
const maxStatusLength = 140;

const refused = (...errors: string[]): DoubleAnswer => ({
  status: 422,
  json: { message: 'Unprocessable Entity', errors, documentation_url: 'https://docs.github.com/rest' },
});

interface Asked {
  readonly double: GitHubDouble;
  readonly request: DoubleRequest;
  readonly repository: ForgeRepository;
  readonly user: ForgeUser;
  /** The id of the calling app; null for a token. */
  readonly appId: number | null;
}

const pageOf = ({ double, repository }: Asked, pull: ForgePull) =>
  `${double.url}/${repository.organization.name}/${repository.name}/pull/${pull.number}`;

function lineCommentObject(asked: Asked, pull: ForgePull, { id, user, body, at }: ForgeLineComment) {
  return {
    id,
    user: userObject(asked.double.url, user),
    body,
    html_url: `${pageOf(asked, pull)}#discussion_r${id}`,
    created_at: at.toISOString(),
  };
}

export function conversationObject(asked: Asked, pull: ForgePull, comment: ForgePull['comments'][number]) {
  const { id, user, body, at } = comment;
  return {
    id,
    user: userObject(asked.double.url, user),
    body,
    html_url: `${pageOf(asked, pull)}#issuecomment-${id}`,
    created_at: at.toISOString(),
    updated_at: (comment.editedAt ?? at).toISOString(),
  };
}

/** Posts a review. One invalid line rejects the whole review, and GitHub does not say which. */
function postReview(asked: Asked, pull: ForgePull): DoubleAnswer {
  const { double, request, user } = asked;
  const { commit_id, event, body = '', comments = [] } = request.body ?? {};
  if (!pull.commits.some(({ sha }) => sha === commit_id))
    return refused('commit_id is not part of the pull request');
  if (event === 'COMMENT' && body === '' && comments.length === 0) return refused('Body cannot be blank');
  if (draftsOf(pull, user).length > 0)
    return refused('User can only have one pending review per pull request');
  const placed = [];
  for (const { path, line, side, start_line, start_side, body: text } of comments) {
    if (text.length > maxBodyLength) return refused('Body is too long (maximum is 65536 characters)');
    if (start_line !== undefined && (start_side !== side || start_line >= line))
      return refused('Start line must precede the end line.');
    const place = {
      path,
      side: side === 'LEFT' ? 'old' : 'new',
      startLine: start_line ?? line,
      line,
    } as const;
    if (linesAt(pull, place) === undefined) return refused('Line could not be resolved');
    placed.push({ body: text, place });
  }
  const draft = double.state.draft(pull, user, body, placed, commit_id);
  const review = event === undefined ? draft : double.state.submit(pull, draft);
  return { status: 200, json: { id: review.id, body, state: review.state.toUpperCase() } };
}

function ofPull(asked: Asked, what: string, id: string | undefined, pull: ForgePull): DoubleAnswer {
  const { double, request, user } = asked;
  switch (`${request.method} ${what}`) {
    case 'POST reviews':
      return postReview(asked, pull);
    case 'DELETE reviews': {
      const draft = draftsOf(pull, user).find((one) => String(one.id) === id);
      if (draft === undefined) return refused('Can not delete a non-pending pull request review');
      pull.drafts.splice(pull.drafts.indexOf(draft), 1);
      return { status: 200, json: { id: draft.id } };
    }
    case 'POST comments': {
      const root = double.state
        .lineComments(pull)
        .find((one) => String(one.id) === id && one.thread === one.id);
      if (root === undefined) return notFound;
      if (draftsOf(pull, user).length > 0)
        return refused('user_id can only have one pending review per pull request');
      const answer = double.state.answer(pull, user, root, request.body.body);
      return { status: 201, json: lineCommentObject(asked, pull, answer) };
    }
    default:
      return notFound;
  }
}

const conclusions = ['success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required'];

const checkObject = ({ id, state, name, sha }: ForgeStatus) => ({
  id,
  name,
  head_sha: sha,
  ...(conclusions.includes(state)
    ? { status: 'completed', conclusion: state }
    : { status: state, conclusion: null }),
});

/** Answers requests about check runs, which only apps can write. */
function ofChecks({ double, request, repository, appId }: Asked, path: string): DoubleAnswer | undefined {
  const { method, body, query } = request;
  const listed = match('/repos/:owner/:name/commits/:sha/check-runs', path);
  if (listed !== undefined) {
    const found = repository.statuses.filter(
      ({ sha, name }) => sha === listed.sha && name === query.get('check_name'),
    );
    const latest = found.slice(-1).map(checkObject);
    return { status: 200, json: { total_count: latest.length, check_runs: latest } };
  }
  const changed = match('/repos/:owner/:name/check-runs/:id', path);
  if (changed === undefined && match('/repos/:owner/:name/check-runs', path) === undefined) return undefined;
  if (appId === null) return { status: 403, json: { message: 'You must authenticate via a GitHub App.' } };
  if (body.status === 'completed' && !conclusions.includes(body.conclusion))
    return refused('Invalid conclusion');
  if (body.output !== undefined && (!body.output.title || !body.output.summary))
    return refused('Invalid output');
  const shown = {
    state: body.conclusion ?? body.status,
    title: body.output?.title ?? '',
    url: body.details_url ?? null,
  };
  if (changed === undefined) {
    const check = double.state.setStatus(repository, { sha: body.head_sha, name: body.name, ...shown });
    return { status: 201, json: checkObject(check) };
  }
  const known = repository.statuses.find(({ id }) => String(id) === changed.id);
  if (known === undefined || method !== 'PATCH') return notFound;
  Object.assign(known, shown);
  return { status: 200, json: checkObject(known) };
}

/** Answers the requests of an account that write on GitHub, and the lists that only reviews need. */
export function answerGitHubWriting(asked: Asked, path: string): DoubleAnswer | undefined {
  const { double, request, repository, user } = asked;
  const { method, body } = request;
  const pulls = [...repository.pulls.values()];
  const check = ofChecks(asked, path);
  if (check !== undefined) return check;
  const status = match('/repos/:owner/:name/statuses/:sha', path);
  if (status !== undefined && method === 'POST') {
    const { state, context: name, description: title = '', target_url: url = null } = body;
    if (!['error', 'failure', 'pending', 'success'].includes(state))
      return refused('State is not included in the list');
    if (title.length > maxStatusLength) return refused('Description is too long (maximum is 140 characters)');
    double.state.setStatus(repository, { sha: status.sha!, name, state, title, url });
    return { status: 201, json: { id: 1, state, context: name } };
  }
  const edited = match('/repos/:owner/:name/issues/comments/:id', path);
  if (edited !== undefined && method === 'PATCH') {
    for (const pull of pulls)
      for (const comment of pull.comments)
        if (String(comment.id) === edited.id) {
          if (comment.user.id !== user.id) return { status: 403, json: { message: 'Must be the author' } };
          comment.body = body.body;
          return { status: 200, json: conversationObject(asked, pull, comment) };
        }
    return notFound;
  }
  const said = match('/repos/:owner/:name/issues/:number/comments', path);
  const found =
    match('/repos/:owner/:name/pulls/:number/:what', path) ??
    match('/repos/:owner/:name/pulls/:number/:what/:id', path) ??
    match('/repos/:owner/:name/pulls/:number/:what/:id/replies', path);
  const pull = repository.pulls.get(Number((said ?? found)?.number));
  if (pull === undefined || method === 'GET') return undefined;
  if (said === undefined) return ofPull(asked, found!.what!, found!.id, pull);
  if (body.body.length > maxBodyLength) return refused('Body is too long (maximum is 65536 characters)');
  return { status: 201, json: conversationObject(asked, pull, double.state.comment(pull, user, body.body)) };
}
