import { HostRefused, HostUnavailable } from '../host.ts';
import type { HostComment, HostThread, ThreadPlace } from '../review-host.ts';
import type { GitHubClient } from './github-client.ts';

interface Actor {
  readonly __typename: string;
  readonly login: string;
  readonly databaseId?: number | null;
}

interface CommentNode {
  readonly url: string;
  readonly body: string;
  readonly state?: 'PENDING' | 'SUBMITTED';
  readonly createdAt: string;
  readonly lastEditedAt?: string | null;
  readonly author: Actor | null;
  /** The version that was commented on. */
  readonly originalCommit?: { readonly oid: string } | null;
  readonly reactionGroups:
    | readonly { readonly content: string; readonly reactors: { readonly totalCount: number } }[]
    | null;
}

interface Page<Node> {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly (Node | null)[];
}

interface ThreadNode {
  readonly id: string;
  readonly path: string;
  readonly line: number | null;
  readonly startLine?: number | null;
  readonly originalLine?: number | null;
  readonly originalStartLine?: number | null;
  readonly subjectType?: 'LINE' | 'FILE';
  readonly diffSide: 'LEFT' | 'RIGHT';
  readonly isResolved: boolean;
  readonly resolvedBy: { readonly login: string; readonly databaseId: number | null } | null;
  readonly comments: Page<CommentNode>;
}

const commentFields = `pageInfo { hasNextPage endCursor } nodes { url body state createdAt lastEditedAt originalCommit { oid }
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }
  reactionGroups { content reactors { totalCount } } }`;

const threadsQuery = `query ($owner: String!, $name: String!, $number: Int!, $cursor: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 50, after: $cursor) { pageInfo { hasNextPage endCursor } nodes {
      id path line startLine originalLine originalStartLine subjectType diffSide isResolved resolvedBy { login databaseId }
      comments(first: 100) { ${commentFields} }
    } }
  } }
}`;

const commentsQuery = `query ($id: ID!, $cursor: String) {
  node(id: $id) { ... on PullRequestReviewThread { comments(first: 100, after: $cursor) { ${commentFields} } } }
}`;

const resolveMutation = `mutation ($id: ID!) {
  resolveReviewThread(input: { threadId: $id }) { thread { id isResolved } }
}`;

export type IsOwn = (author: { readonly id: string; readonly username: string }) => boolean;

/** For apps, GraphQL leaves out the `[bot]` suffix of the login that the REST API has. */
function nameOf({ __typename, login }: Actor): string {
  return __typename === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login;
}

function commentOf(node: CommentNode, isOwn: IsOwn): HostComment {
  // GraphQL's numeric ids are too small for newer comments.
  const id = /discussion_r(\d+)$/.exec(node.url)?.[1];
  if (id === undefined) throw new HostUnavailable('the host sent a comment without an id');
  const author = node.author && {
    id: String(node.author.databaseId ?? 0),
    username: nameOf(node.author),
    isBot: node.author.__typename === 'Bot' || node.author.login.endsWith('[bot]'),
  };
  return {
    id,
    url: node.url,
    author,
    body: node.body,
    createdAt: new Date(node.createdAt),
    isOwn: author !== null && isOwn(author),
    reactions: reactionsOf(node),
    isEdited: (node.lastEditedAt ?? null) !== null,
  };
}

function reactionsOf({ reactionGroups }: CommentNode): Record<string, number> {
  const given = (reactionGroups ?? []).filter(({ reactors }) => reactors.totalCount > 0);
  return Object.fromEntries(given.map(({ content, reactors }) => [content, reactors.totalCount]));
}

async function* pagesOf<Node>(read: (cursor: string | null) => Promise<Page<Node>>): AsyncGenerator<Node> {
  let cursor: string | null = null;
  do {
    const { nodes, pageInfo }: Page<Node> = await read(cursor);
    for (const node of nodes) if (node !== null) yield node;
    if (pageInfo.hasNextPage && (pageInfo.endCursor === null || pageInfo.endCursor === cursor))
      throw new HostUnavailable('the host keeps sending the same page of a list');
    cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (cursor !== null);
}

/** The comments of a thread, without those of drafts, which GitHub shows to their author only. */
async function readComments(client: GitHubClient, thread: ThreadNode): Promise<CommentNode[]> {
  return (await readAllComments(client, thread)).filter(({ state }) => state !== 'PENDING');
}

async function readAllComments(client: GitHubClient, thread: ThreadNode): Promise<CommentNode[]> {
  const comments = thread.comments.nodes.filter((node) => node !== null);
  const { hasNextPage, endCursor } = thread.comments.pageInfo;
  if (!hasNextPage) return comments;
  const rest = pagesOf<CommentNode>(async (cursor) => {
    const variables = { id: thread.id, cursor: cursor ?? endCursor };
    const { node } = await client.query<{ node: Pick<ThreadNode, 'comments'> }>(commentsQuery, variables);
    return node.comments;
  });
  return [...comments, ...(await Array.fromAsync(rest))];
}

/** Where a thread was started. GitHub keeps this even for outdated threads, which no longer have a current line. */
function placeOf(node: ThreadNode, first: CommentNode | undefined): ThreadPlace | null {
  const revision = first?.originalCommit?.oid;
  if (revision === undefined) return null;
  if (node.subjectType === 'FILE') return { revision, startLine: null, line: null };
  const line = node.originalLine ?? null;
  return line === null ? null : { revision, startLine: node.originalStartLine ?? line, line };
}

/** Reads all review threads with their state, which only GraphQL knows. */
export async function readGitHubThreads(
  client: GitHubClient,
  fullName: string,
  number: number,
  isOwn: IsOwn,
): Promise<HostThread[]> {
  const [owner, name] = fullName.split('/');
  const nodes = pagesOf<ThreadNode>(async (cursor) => {
    const { repository } = await client.query<{
      repository: { pullRequest: { reviewThreads: Page<ThreadNode> } | null } | null;
    }>(threadsQuery, { owner, name, number, cursor });
    if (repository?.pullRequest == null) throw new HostRefused(404, 'the host has no such pull request');
    return repository.pullRequest.reviewThreads;
  });
  const threads: HostThread[] = [];
  for await (const node of nodes) {
    const nodesOf = await readComments(client, node);
    const comments = nodesOf.map((comment) => commentOf(comment, isOwn));
    const begun = placeOf(node, nodesOf[0]);
    const { id, path, line, isResolved, resolvedBy } = node;
    if (comments.length > 0)
      threads.push({
        id,
        path,
        side: node.diffSide === 'LEFT' ? 'old' : 'new',
        line,
        startLine: node.startLine ?? null,
        ...(begun !== null && { begun }),
        isPlacedInHead: line !== null,
        isResolved,
        resolvedBy: resolvedBy && { id: String(resolvedBy.databaseId ?? 0), username: resolvedBy.login },
        comments,
      });
  }
  return threads;
}

/** False if the account is not allowed to, or the thread is gone. */
export async function resolveGitHubThread(client: GitHubClient, id: string): Promise<boolean> {
  try {
    await client.mutate(resolveMutation, { id });
    return true;
  } catch (error) {
    if (error instanceof HostRefused) return false;
    throw error;
  }
}
