import type { KeyAccess, Requirements } from '../../access/access-rule.ts';
import { type Endpoint, keyEndpoint } from '../../http/endpoint.ts';
import { readOnePage } from '../../http/paging.ts';
import { presentFinding } from '../../reviewer/review/present-result.ts';
import { findingShape } from '../reviews/run-findings/finding-shape.ts';
import { judgeFinding } from './judge-finding.ts';
import { type FindingFilter, type FindingPosition, listFindings, presentListed } from './list-findings.ts';
import { listSignals, presentSignal } from './list-signals.ts';
import type { ReportDeps } from './outcomes/report-outcomes.ts';
import {
  findingPage,
  findingPatch,
  findingPath,
  findingsQuery,
  signalPage,
  signalsQuery,
} from './schemas.ts';
import type { SignalPosition } from './signals/signal-store.ts';

const access: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
const requires: Requirements = { plan: 'any', right: 'none' };
const tag = 'Reviews';
const path = '/v1/reviews/{id}/findings/{finding_id}';

/** The endpoints for outcomes of findings: people's verdicts, and the evidence for `accepted`. */
export function findingEndpoints(deps: ReportDeps): Endpoint[] {
  return [
    keyEndpoint({
      operationId: 'listFindings',
      method: 'GET',
      path: '/v1/reviews/findings',
      tag,
      summary: 'List findings on pull requests, our own and those of other reviewers, newest first',
      description:
        'Other reviewers are those that the organization lists as `other_reviewers`. `signals` lists what was observed; `accepted` ' +
        'is derived from it.',
      access,
      requires,
      limit: { bucket: 'reviews-read', perMinute: 600, per: 'key' },
      query: findingsQuery,
      responses: { 200: { description: 'A page of findings', json: findingPage } },
      async handle(context, { query }) {
        const filter: FindingFilter = {
          reviewer: query.reviewer,
          repositoryIds: query.repository_ids?.toSorted(),
          startDate: query.start_date,
          endDate: query.end_date,
        };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          filter,
          query.cursor,
          (after: FindingPosition | undefined) =>
            listFindings(deps, context, filter, { after, limit: query.limit }),
        );
        return { json: { data: page.findings.map(presentListed), next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'judgeFinding',
      method: 'PATCH',
      path,
      tag,
      summary: 'Say whether a finding was accepted',
      description:
        "A person's verdict takes precedence over everything that was observed, until the next verdict or until it is withdrawn " +
        'with null. It holds for the finding in all reviews of the pull request.',
      access,
      requires,
      limit: { bucket: 'reviews-findings', perMinute: 60, per: 'key' },
      params: findingPath,
      body: findingPatch,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'The finding', json: findingShape } },
      async handle(context, { params, body }) {
        const input = { runId: params.id, findingId: params.finding_id, accepted: body.accepted };
        const finding = await judgeFinding(deps, context, input);
        return { json: presentFinding(finding, finding) };
      },
    }),
    keyEndpoint({
      operationId: 'listFindingSignals',
      method: 'GET',
      path: `${path}/signals`,
      tag,
      summary: 'List the signals that decide whether a finding counts as accepted, newest first',
      description:
        'Signals are kept forever. `accepted` is derived from them by fixed rules, and is null if they are not conclusive.',
      access,
      requires,
      limit: { bucket: 'reviews-read', perMinute: 600, per: 'key' },
      params: findingPath,
      query: signalsQuery,
      errors: ['NOT_FOUND'],
      responses: { 200: { description: 'A page of signals', json: signalPage } },
      async handle(context, { params, query }) {
        const finding = { runId: params.id, findingId: params.finding_id };
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          finding,
          query.cursor,
          (after: SignalPosition | undefined) =>
            listSignals(deps, context, finding, { after, limit: query.limit }),
        );
        return { json: { data: page.signals.map(presentSignal), next_cursor: nextCursor } };
      },
    }),
  ];
}
