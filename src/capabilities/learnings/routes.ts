import type { KeyAccess, Requirements } from '../../access/access-rule.ts';
import type { RateLimit } from '../../access/rate-limit.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { csvHeaders, csvReply, jsonPageReply } from '../../http/reply/page-reply.ts';
import { writeCsv } from '../../lib/wire/csv.ts';
import { maxResponseBytes } from '../../lib/wire/json-page.ts';
import { exportFields, readExported } from './export/export-rows.ts';
import { type LearningPosition, listLearnings } from './export/list-learnings.ts';
import type { IndexDeps } from './indexing/index-learnings.ts';
import {
  createBody,
  createResult,
  learning,
  learningPage,
  learningPath,
  listQuery,
  searchBody,
  searchResult,
  updateBody,
} from './schemas.ts';
import { type SearchDeps, searchLearnings } from './search/search-learnings.ts';
import { createLearnings } from './write/create-learnings.ts';
import { deleteLearning } from './write/delete-learning.ts';
import { updateLearning } from './write/update-learning.ts';

const readAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'all_or_one',
  instance: 'all_or_selected',
  legacy: 'own',
  agentic: 'forbidden',
};
const namedRepositoryAccess: KeyAccess = {
  organization: 'forbidden',
  user: 'own',
  workspace: 'forbidden',
  instance: 'forbidden',
  legacy: 'forbidden',
  agentic: 'forbidden',
};
const writeAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'forbidden',
};
const readRequires: Requirements = { plan: 'enterprise', right: 'none' };
const writeRequires: Requirements = { plan: 'enterprise', right: 'learning:write' };
const readLimit: RateLimit = { bucket: 'learnings-read', perMinute: 60, per: 'tenant' };
const writeLimit: RateLimit = { bucket: 'learnings-write', perMinute: 10, per: 'written_organization' };

const eightMebibytes = 8 * 1024 * 1024;
const csvColumns = exportFields.map((name) => ({
  name,
  cell: (row: ReturnType<typeof readExported>) => row[name],
}));

function writeEndpoints(deps: IndexDeps): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'createLearnings',
      method: 'POST',
      path: '/v1/learnings',
      tag: 'Learnings',
      summary: 'Create up to 100 Learnings in one ordered batch and index them',
      description:
        'Answers 200 even when items fail: check the overall status and every item. Credentials are redacted before ' +
        'anything is stored. Repeating a request is safe, and repairs the index where indexing failed.',
      errorBody: 'errors',
      access: writeAccess,
      requires: writeRequires,
      limit: writeLimit,
      body: createBody,
      maxBodyBytes: eightMebibytes,
      checksTextPerItem: true,
      responses: { 200: { description: 'The result of each item, in order', json: createResult } },
      handle: async (context, { body }) => ({ json: await createLearnings(deps, context, body.data) }),
    }),
    keyEndpoint({
      operationId: 'updateLearning',
      method: 'PATCH',
      path: '/v1/learnings/{learning_id}',
      tag: 'Learnings',
      summary: 'Replace the text of a Learning and reindex it',
      description: 'If the index could not be refreshed, repeat the request to repair it.',
      errorBody: 'errors',
      access: writeAccess,
      requires: writeRequires,
      limit: writeLimit,
      params: learningPath,
      body: updateBody,
      errors: ['NOT_FOUND', 'CONFLICT', 'INDEX_REFRESH_FAILED'],
      responses: { 200: { description: 'The updated Learning', json: learning } },
      handle: async (context, { params, body }) => ({
        json: await updateLearning(deps, context, params.learning_id, body.learning),
      }),
    }),
    keyEndpoint({
      operationId: 'deleteLearning',
      method: 'DELETE',
      path: '/v1/learnings/{learning_id}',
      tag: 'Learnings',
      summary: 'Delete a Learning; deleting one that does not exist is not an error',
      errorBody: 'errors',
      access: writeAccess,
      requires: writeRequires,
      limit: writeLimit,
      params: learningPath,
      responses: { 204: { description: 'The Learning does not exist (any more)' } },
      async handle(context, { params }) {
        await deleteLearning(deps, context, params.learning_id);
        return { status: 204 };
      },
    }),
  ];
}

function readEndpoints(deps: SearchDeps): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listLearnings',
      method: 'GET',
      path: '/v1/learnings',
      tag: 'Learnings',
      summary: 'Export the shared and approved Learnings, as JSON or CSV',
      description:
        'Organization by organization, oldest first. `repository_name` needs a user key whose user can read that repository.',
      errorBody: 'errors',
      access: readAccess,
      accessWhen: { queryParameter: 'repository_name', access: namedRepositoryAccess },
      requires: readRequires,
      limit: readLimit,
      query: listQuery,
      repeatable: ['file'],
      errors: ['NOT_FOUND', 'RESPONSE_TOO_LARGE'],
      responses: {
        200: {
          description: 'A page of Learnings',
          json: learningPage,
          content: ['text/csv'],
          headers: csvHeaders,
        },
      },
      async handle(context, { query }) {
        const isCsv = query.format === 'csv';
        const input = {
          repositoryIds: query.repository_ids,
          userIds: query.user_ids,
          repositoryName: query.repository_name,
          search: query.search,
          files: query.file,
          statFilter: query.stat_filter,
        };
        const { limit, cursor } = query;
        const maxBytes = isCsv ? Number.MAX_SAFE_INTEGER : maxResponseBytes;
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          input,
          cursor,
          (after: LearningPosition | undefined) =>
            listLearnings(deps, context, input, { after, limit, maxBytes }),
        );
        if (!isCsv) return jsonPageReply(page.bodies, nextCursor);
        const bytes = await writeCsv(csvColumns, page.bodies.map(readExported));
        return csvReply(bytes, context.raw.url ?? '', nextCursor);
      },
    }),
    keyEndpoint({
      operationId: 'searchLearnings',
      method: 'POST',
      path: '/v1/learnings/search',
      tag: 'Learnings',
      summary: 'What a review of the repository would retrieve, and why',
      description:
        'Shared and approved Learnings of the repository, with `pull_request` also the private ones of that pull request. ' +
        'With `file`, Learnings about other files are excluded. `reasons.meaning` is null where there are no vectors to compare.',
      errorBody: 'errors',
      access: readAccess,
      requires: readRequires,
      limit: readLimit,
      body: searchBody,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The best match first', json: searchResult } },
      handle: async (context, { body }) => ({
        json: {
          data: await searchLearnings(deps, context, {
            repositoryId: body.repository_id,
            query: body.query,
            file: body.file,
            pullRequest: body.pull_request,
            limit: body.limit,
          }),
        },
      }),
    }),
  ];
}

/** The endpoints of Learnings: write, export and search. */
export function learningEndpoints(deps: IndexDeps & SearchDeps): Endpoint[] {
  return [...writeEndpoints(deps), ...readEndpoints(deps)];
}
