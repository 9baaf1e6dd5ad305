import type { JSONObject } from '@modelcontextprotocol/server';
import type { KeyKind } from '../access/api-key-value.ts';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** A request to the API that a tool makes on behalf of its caller. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: ToolArguments;
  readonly body?: ToolArguments;
}

/** The answer of the API: its JSON, or the error that it reported. */
export type ApiAnswer =
  | { readonly json: Record<string, unknown> }
  | { readonly error: { readonly code: string; readonly message: string } };

export type CallApi = (request: ApiRequest) => Promise<ApiAnswer>;

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The kinds of keys that are offered the tool. */
  readonly kinds: readonly KeyKind[];
  /** JSON Schema of the arguments, shown to callers; the endpoint validates them. */
  readonly properties: Record<string, JSONObject>;
  readonly required: readonly string[];
  readonly isReadOnly: boolean;
  run(callApi: CallApi, given: ToolArguments): Promise<ApiAnswer>;
}

const text = (description: string) => ({ type: 'string', description });
const repositoryId = text('Id of the repository at the Git provider');
const day = (description: string) => ({ type: 'string', format: 'date', description });
const page = {
  limit: { type: 'integer', minimum: 1, description: 'How many entries; 50 by default' },
  cursor: text('The next_cursor of the previous page, with the same arguments'),
};
/** Fewer than a program would request, because an agent reads everything that it gets. */
const defaultLimit = 50;
const people: readonly KeyKind[] = ['user', 'organization'];
const agents: readonly KeyKind[] = ['user', 'agentic'];

const reviewsPerPage = 20;

/** The findings of the reviews on one page, each with its review. */
async function listFindings(callApi: CallApi, { state, ...query }: ToolArguments): Promise<ApiAnswer> {
  const listed = await callApi({
    method: 'GET',
    path: '/v1/reviews',
    query: { limit: reviewsPerPage, ...query },
  });
  if ('error' in listed) return listed;
  const data: object[] = [];
  for (const { id } of listed.json.data as { id: string }[]) {
    const answer = await callApi({ method: 'GET', path: `/v1/reviews/${id}` });
    if ('error' in answer) return answer;
    const { repository_id, pull_request, pr_url, findings } = answer.json;
    for (const finding of findings as { state: string }[])
      if (state === undefined || finding.state === state)
        data.push({ review_id: id, repository_id, pull_request, pr_url, ...finding });
  }
  return { json: { data, next_cursor: listed.json.next_cursor } };
}

/** Every tool; each is an endpoint of the API under another name, with the same arguments. */
export const tools: readonly Tool[] = [
  {
    name: 'search_learnings',
    title: 'Search Learnings',
    description: 'Finds the review guidance (Learnings) of a repository that fits a question or a change.',
    kinds: people,
    properties: {
      repository_id: repositoryId,
      query: text('A question, or the code in question'),
      file: text('Path of the file that it is about'),
      pull_request: { type: 'integer', description: 'Includes Learnings private to this pull request' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: '10 by default' },
    },
    required: ['repository_id', 'query'],
    isReadOnly: true,
    run: (callApi, body) => callApi({ method: 'POST', path: '/v1/learnings/search', body }),
  },
  {
    name: 'list_findings',
    title: 'List review findings',
    description: 'Lists what reviews found, newest review first, with severity, place, state and outcome.',
    kinds: people,
    properties: {
      repository_ids: text('Ids of repositories at the Git provider, comma-separated'),
      status: text('Statuses of the reviews, comma-separated, such as succeeded,degraded'),
      start_date: day('First day on which the review was created, in UTC'),
      end_date: day('Last day on which the review was created, in UTC'),
      state: { type: 'string', enum: ['open', 'outdated', 'resolved', 'dismissed'] },
      limit: { type: 'integer', minimum: 1, description: `How many reviews; ${reviewsPerPage} by default` },
      cursor: page.cursor,
    },
    required: [],
    isReadOnly: true,
    run: listFindings,
  },
  {
    name: 'review_metrics',
    title: 'Review metrics',
    description:
      'Lists merged or closed pull requests with the numbers of review comments posted and accepted.',
    kinds: people,
    properties: {
      start_date: day('First day, in UTC'),
      end_date: day('Last day, in UTC'),
      repository_ids: text('Ids of repositories at the Git provider, comma-separated'),
      user_ids: text('Ids of authors at the Git provider, comma-separated'),
      status: { type: 'string', enum: ['merged', 'closed', 'all'], description: 'merged by default' },
      ...page,
    },
    required: ['start_date', 'end_date'],
    isReadOnly: true,
    run: (callApi, given) =>
      callApi({ method: 'GET', path: '/v1/metrics/reviews', query: { limit: defaultLimit, ...given } }),
  },
  {
    name: 'list_security_findings',
    title: 'List security findings',
    description: 'Lists the security findings of the newest scans.',
    kinds: people,
    properties: {
      state: { type: 'string', enum: ['open', 'fixed', 'dismissed', 'all'], description: 'open by default' },
      severity: text('One or several, comma-separated: critical, high, medium, low, info'),
      repo_id: repositoryId,
      ...page,
    },
    required: [],
    isReadOnly: true,
    run: (callApi, given) =>
      callApi({ method: 'GET', path: '/v1/security/scans/code', query: { limit: defaultLimit, ...given } }),
  },
  {
    name: 'review_changes',
    title: 'Review changes',
    description:
      'Starts a review of a diff, or of a pull request. Returns its id at once; read it with get_review until its status is neither queued nor running. A diff is reviewed and nothing is posted.',
    kinds: agents,
    properties: {
      repository_id: repositoryId,
      diff: text('A unified diff, as of git diff'),
      files: {
        type: 'array',
        description: 'New contents of changed files, so that rules see them whole',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, content: { type: 'string' } },
          required: ['path', 'content'],
        },
      },
      pull_request: { type: 'integer', description: 'Number of a pull request, instead of a diff' },
      mode: { type: 'string', enum: ['incremental', 'full'] },
    },
    required: ['repository_id'],
    isReadOnly: false,
    run: (callApi, body) => callApi({ method: 'POST', path: '/v1/reviews', body }),
  },
  {
    name: 'get_review',
    title: 'Get a review',
    description: 'One review with its status, its findings and what was looked at.',
    kinds: agents,
    properties: { id: text('Id of the review') },
    required: ['id'],
    isReadOnly: true,
    run: (callApi, { id, ...query }) =>
      callApi({ method: 'GET', path: `/v1/reviews/${encodeURIComponent(String(id))}`, query }),
  },
];
