import type { ForgeLineComment, ForgePull, ForgeUser } from '../forge/forge-data.ts';
import type { DoubleAnswer, DoubleRequest } from '../host-double.ts';
import type { GitHubDouble } from './github-double.ts';
import { draftsOf } from './github-pulls.ts';

/** In GraphQL, the login of an app is its slug, without `[bot]`. */
const actor = ({ id, login, isBot }: ForgeUser) => ({
  __typename: isBot ? 'Bot' : 'User',
  login,
  databaseId: id,
});

function page<Item>(items: readonly Item[], cursor: string | null | undefined, size: number) {
  const start = cursor == null ? 0 : Number(cursor);
  const end = start + size;
  return {
    pageInfo: { hasNextPage: end < items.length, endCursor: String(end) },
    nodes: items.slice(start, end),
  };
}

/** Answers the part of GitHub's GraphQL API that reviews need: threads with their state, and resolving one. */
export function answerGraphql(double: GitHubDouble, { body }: DoubleRequest, user: ForgeUser): DoubleAnswer {
  const { query, variables } = body as { query: string; variables: Record<string, never> };
  const fault = (type: string, message: string) => ({
    status: 200,
    json: { data: null, errors: [{ type, message, path: [], locations: [] }] },
  });
  const pulls = double.state.repositories.flatMap((repository) => [...repository.pulls.values()]);
  const rootOf = (id: string) =>
    pulls
      .flatMap((pull) => double.state.lineComments(pull).map((comment) => ({ pull, comment })))
      .find(({ comment }) => `PRRT_${comment.id}` === id && comment.thread === comment.id);
  const comments = (pull: ForgePull, thread: readonly ForgeLineComment[], cursor?: string | null) =>
    page(
      thread.map(({ id, body: text, at, editedAt, user: author, commit }) => ({
        url: `${double.url}/${pull.repository.organization.name}/${pull.repository.name}/pull/${pull.number}#discussion_r${id}`,
        body: text,
        state: pull.drafts.some((draft) => draft.comments.some((one) => one.id === id))
          ? 'PENDING'
          : 'SUBMITTED',
        createdAt: at.toISOString(),
        lastEditedAt: editedAt?.toISOString() ?? null,
        author: actor(author),
        originalCommit: { oid: commit },
        reactionGroups: [{ content: 'THUMBS_UP', reactors: { totalCount: 0 } }],
      })),
      cursor,
      Math.min(100, double.maxPageSize),
    );
  if (query.includes('resolveReviewThread')) {
    const found = rootOf(variables.id!);
    if (found === undefined) return fault('NOT_FOUND', 'Could not resolve to a node');
    found.comment.resolver = user;
    return {
      status: 200,
      json: { data: { resolveReviewThread: { thread: { id: variables.id, isResolved: true } } } },
    };
  }
  if (query.includes('node(id: $id)')) {
    const { pull, comment } = rootOf(variables.id!)!;
    const thread = double.state.threads(pull).find(([first]) => first === comment)!;
    return { status: 200, json: { data: { node: { comments: comments(pull, thread, variables.cursor) } } } };
  }
  const repository = double.state.repositoryNamed(variables.owner, variables.name);
  const pull = repository?.pulls.get(Number(variables.number));
  if (repository === undefined) return fault('NOT_FOUND', 'Could not resolve to a Repository');
  if (pull === undefined) return fault('NOT_FOUND', 'Could not resolve to a PullRequest');
  if (query.includes('closingIssuesReferences')) {
    const nameWithOwner = `${repository.organization.name}/${repository.name}`;
    const nodes = (pull.linked ?? []).map((number) => ({ number, repository: { nameWithOwner } }));
    return {
      status: 200,
      json: { data: { repository: { pullRequest: { closingIssuesReferences: { nodes } } } } },
    };
  }
  const head = pull.commits.at(-1)!.sha;
  const drafted = draftsOf(pull, user).flatMap(({ comments: all }) => all.map((comment) => [comment]));
  const threads = [...double.state.threads(pull), ...drafted].map((thread) => {
    const [first] = thread as [ForgeLineComment];
    const { place, resolver } = first;
    return {
      id: `PRRT_${first.id}`,
      path: place.path,
      line: first.commit === head ? place.line : null,
      startLine: first.commit === head && place.startLine !== place.line ? place.startLine : null,
      originalLine: place.line,
      originalStartLine: place.startLine === place.line ? null : place.startLine,
      subjectType: 'LINE',
      diffSide: place.side === 'old' ? 'LEFT' : 'RIGHT',
      isResolved: resolver !== null,
      resolvedBy: resolver && { login: resolver.login, databaseId: resolver.id },
      comments: comments(pull, thread),
    };
  });
  const shown = page(threads, variables.cursor, Math.min(50, double.maxPageSize));
  return { status: 200, json: { data: { repository: { pullRequest: { reviewThreads: shown } } } } };
}
