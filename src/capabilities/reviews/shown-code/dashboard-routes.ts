import { type Endpoint, type KeyContext, sessionEndpoint } from '../../../http/endpoint.ts';
import { whileCallerWaits } from '../../../http/request/while-caller-waits.ts';
import { type CodeDeps, type CodeQuestion, listFiles, readLines, readPatch } from './read-code.ts';
import {
  changedFiles,
  codePath,
  fileLines,
  filePatch,
  linesQuery,
  patchQuery,
  presentFiles,
  presentLines,
  presentPatch,
} from './schemas.ts';

const path = '/dashboard/v1/reviews/{id}';
/** The limit for a request, above that of a part, so that the server always answers. */
const maxMs = 30_000;
/** Neither browsers nor proxies may store code. */
const headers = { 'cache-control': 'no-store' };

/** Reads code until the client disconnects or the time is up. */
function ask<Result>(
  { raw }: Pick<KeyContext, 'raw'>,
  runId: string,
  read: (question: CodeQuestion) => Promise<Result>,
): Promise<Result> {
  return whileCallerWaits(raw, (gone) =>
    read({ runId, signal: AbortSignal.any([gone, AbortSignal.timeout(maxMs)]) }),
  );
}

/** The code that reviews compared, for the dashboard's pages, file by file (ADR 0126). */
export function dashboardCodeEndpoints(deps: CodeDeps): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Dashboard',
    access: { user: 'own', workspace: 'one' },
    requires: { plan: 'any', right: 'repository_management:read' },
    params: codePath,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  } as const;
  return [
    sessionEndpoint({
      ...common,
      operationId: 'listReviewedFiles',
      path: `${path}/files`,
      summary: 'The files that a review compared, without their lines',
      responses: { 200: { description: 'At most 5,000 of them', json: changedFiles } },
      handle: async (context, { params }) => ({
        headers,
        json: presentFiles(await ask(context, params.id, (question) => listFiles(deps, context, question))),
      }),
    }),
    sessionEndpoint({
      ...common,
      operationId: 'readReviewedPatch',
      path: `${path}/patch`,
      summary: 'What changed in one file',
      query: patchQuery,
      responses: { 200: { description: 'Its hunks, of at most 20,000 lines', json: filePatch } },
      async handle(context, { params, query }) {
        const file = { path: query.path, oldPath: query.old_path ?? null };
        const patch = await ask(context, params.id, (question) =>
          readPatch(deps, context, { ...question, ...file }),
        );
        return { headers, json: presentPatch(patch) };
      },
    }),
    sessionEndpoint({
      ...common,
      operationId: 'readReviewedLines',
      path: `${path}/lines`,
      summary: 'Lines of a file before or after the change',
      query: linesQuery,
      responses: { 200: { description: 'The lines', json: fileLines } },
      async handle(context, { params, query }) {
        const { path: file, side, start, end } = query;
        const lines = await ask(context, params.id, (question) =>
          readLines(deps, context, { ...question, path: file, side, startLine: start, endLine: end }),
        );
        return { headers, json: presentLines(lines) };
      },
    }),
  ];
}
