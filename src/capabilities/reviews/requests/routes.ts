import { z } from 'zod';
import type { KeyAccess, Requirements } from '../../../access/access-rule.ts';
import type { RateLimit } from '../../../access/rate-limit.ts';
import { type Endpoint, keyEndpoint } from '../../../http/endpoint.ts';
import { readOnePage } from '../../../http/paging.ts';
import { type OrderFixDeps, orderFix } from '../reviewed-pull-requests/fixing/order-fix.ts';
import { type ReleaseDeps, releaseFindings } from '../reviewed-pull-requests/releasing/release-findings.ts';
import { cancelReview } from '../runs/cancel-review.ts';
import { getReview } from '../runs/get-review.ts';
import { listReviews, type RunFilter, type RunPosition } from '../runs/list-reviews.ts';
import { presentFix, presentRun, presentSummary } from '../runs/present-run.ts';
import { createReview, type RunDeps } from './create-review.ts';
import {
  createdReview,
  fixShape,
  releaseBody,
  review,
  reviewBody,
  reviewPage,
  reviewPath,
  reviewsQuery,
} from './schemas.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
const requires: Requirements = { plan: 'any', right: 'none' };
const createLimit: RateLimit = { bucket: 'reviews-create', perMinute: 30, per: 'key' };
/** Callers poll until a run has ended. */
const readLimit: RateLimit = { bucket: 'reviews-read', perMinute: 600, per: 'key' };
const cancelLimit: RateLimit = { bucket: 'reviews-cancel', perMinute: 60, per: 'key' };
const fixLimit: RateLimit = { bucket: 'reviews-fix', perMinute: 30, per: 'key' };
const releaseLimit: RateLimit = { bucket: 'reviews-release', perMinute: 60, per: 'key' };

/** JSON escapes can more than double a text; the texts themselves are limited to 5 MiB. */
const maxBodyBytes = 16 * 1024 * 1024;
const tag = 'Reviews';
const path = '/v1/reviews';

/** The endpoints for reviews of changes: start one, read its state, stop it. */
export function runEndpoints(deps: RunDeps & ReleaseDeps & OrderFixDeps): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'createReview',
      method: 'POST',
      path,
      tag,
      summary: 'Review a diff or a pull request',
      description:
        'A `pull_request` of a connected Git host is reviewed and the result is posted there: only what changed since the last review, ' +
        'or everything with the mode `full`. A `diff` is reviewed without posting anything. With the new contents in `files`, rules see ' +
        'whole files; without them, only the lines of the diff. Diff and contents together may have 5 MiB. They are deleted when the review has ended. ' +
        "The key's owner needs a seat. Read the review at `Location` until its `status` is neither `queued` nor `running`.",
      access,
      requires,
      limit: createLimit,
      body: reviewBody,
      maxBodyBytes,
      errors: ['NOT_FOUND', 'SEAT_REQUIRED', 'CONNECTION_REFUSED'],
      responses: {
        202: {
          description: 'The review is queued',
          json: createdReview,
          headers: { Location: 'Where the review can be read' },
        },
      },
      async handle(context, { body }) {
        const subject =
          body.diff === undefined
            ? { pullRequest: body.pull_request! }
            : { diff: body.diff, files: body.files ?? [], baseRevision: body.base_revision ?? null };
        const created = await createReview(deps, context, {
          repositoryId: body.repository_id,
          mode: body.mode,
          subject,
        });
        return { status: 202, headers: { location: `${path}/${created.id}` }, json: created };
      },
    }),
    keyEndpoint({
      operationId: 'listReviewRuns',
      method: 'GET',
      path,
      tag,
      summary: 'List reviews, the newest first, without findings, coverage and report',
      access,
      requires,
      limit: readLimit,
      query: reviewsQuery,
      responses: { 200: { description: 'A page of reviews', json: reviewPage } },
      async handle(context, { query }) {
        const { limit, cursor } = query;
        const filter: RunFilter = {
          repositoryIds: query.repository_ids?.toSorted(),
          statuses: query.status?.toSorted(),
          startDate: query.start_date,
          endDate: query.end_date,
        };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          cursor,
          (after: RunPosition | undefined) => listReviews(deps, context, filter, { after, limit }),
        );
        return { json: { data: page.runs.map(presentSummary), next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'readReview',
      method: 'GET',
      path: `${path}/{id}`,
      tag,
      summary: 'Get one review with its findings, coverage and report',
      description:
        '`succeeded`: everything in scope was reviewed. `degraded`: something was not; `reason` and `coverage` say what, and the ' +
        'findings are kept. Every changed file is in `coverage`. `report` has more about the change than its findings.',
      access,
      requires,
      limit: readLimit,
      params: reviewPath,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The review', json: review } },
      handle: async (context, { params }) => ({
        json: presentRun(await getReview(deps, context, params.id)),
      }),
    }),
    keyEndpoint({
      operationId: 'releaseReview',
      method: 'POST',
      path: `${path}/{id}/release`,
      tag,
      summary: 'Post the findings of a review that waits for release',
      description:
        'With `reviews.publish: on_release`, nothing is posted automatically. Findings that are not released count as dismissed, but ' +
        'not against their rules. 409 if nothing waits: the review is posted automatically, a later one has replaced it, or the pull ' +
        'request has new commits or is closed.',
      access,
      requires,
      limit: releaseLimit,
      params: reviewPath,
      body: releaseBody,
      errors: ['NOT_FOUND', 'CONFLICT'],
      responses: { 202: { description: 'The findings will be posted', json: createdReview } },
      handle: async (context, { params, body }) => ({
        status: 202,
        json: await releaseFindings(deps, context, params.id, body.finding_ids),
      }),
    }),
    keyEndpoint({
      operationId: 'fixReview',
      method: 'POST',
      path: `${path}/{id}/fix`,
      tag,
      summary: 'Commit the safe suggestions of a review to the branch of its pull request',
      description:
        "Makes one commit on top of the reviewed head, with the suggestions of rules for open findings, in the name of the connection's " +
        'account. Only for members who may push to the repository at the host, and not for forks. The result is in `fix` of the ' +
        'review: `done` with the commit, or `refused` with the reason. 409 if nothing can be committed: the pull request has new ' +
        'commits or is closed, a later review has replaced this one, or nothing can be fixed safely. A repeated request ' +
        'commits nothing twice; after a refusal it tries again.',
      access,
      requires,
      limit: fixLimit,
      params: reviewPath,
      body: z.strictObject({}),
      errors: ['NOT_FOUND', 'SEAT_REQUIRED', 'CONFLICT'],
      responses: {
        202: { description: 'The suggestions will be committed, or were committed before', json: fixShape },
      },
      handle: async (context, { params }) => ({
        status: 202,
        json: presentFix(await orderFix(deps, context, params.id)),
      }),
    }),
    keyEndpoint({
      operationId: 'cancelReview',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'Stop a queued or running review; a review that has ended does not change',
      access,
      requires,
      limit: cancelLimit,
      params: reviewPath,
      errors: ['NOT_FOUND'],
      responses: { 204: { description: 'The review has ended' } },
      async handle(context, { params }) {
        await cancelReview(deps, context, params.id);
        return { status: 204 };
      },
    }),
  ];
}
