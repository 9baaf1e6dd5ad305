import type { KeyAccess, Requirements } from '../../../access/access-rule.ts';
import type { RateLimit } from '../../../access/rate-limit.ts';
import type { Database } from '../../../db/database.ts';
import { type Endpoint, keyEndpoint } from '../../../http/endpoint.ts';
import { readOnePage } from '../../../http/paging.ts';
import { listRules, type RulePosition } from './list-rules.ts';
import { replayRules } from './replay-rules.ts';
import {
  namedRuleBody,
  presentReplay,
  presentRule,
  replayAnswer,
  replayQuery,
  ruleBody,
  rulePage,
  rulePath,
  ruleRow,
  rulesQuery,
} from './schemas.ts';
import { setRule } from './set-rule.ts';

const reading: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'one',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
/** Deciding about rules is left to people, not to agents. */
const deciding: KeyAccess = { ...reading, agentic: 'forbidden' };
const anyone: Requirements = { plan: 'any', right: 'none' };
const admins: Requirements = { plan: 'any', right: 'admin' };
const readLimit: RateLimit = { bucket: 'reviews-read', perMinute: 600, per: 'key' };
const setLimit: RateLimit = { bucket: 'reviews-rules', perMinute: 60, per: 'key' };
const replayLimit: RateLimit = { bucket: 'reviews-rules-replay', perMinute: 10, per: 'key' };

const tag = 'Reviews';
const path = '/v1/reviews/rules';

/** The endpoints for the acceptance of rules, and for what admins decide about them. */
export function ruleEndpoints(deps: { readonly database: Database }): Endpoint[] {
  const setting = {
    method: 'PUT',
    tag,
    access: deciding,
    requires: admins,
    limit: setLimit,
    errors: ['NOT_FOUND'],
    responses: { 200: { description: 'The rule after the change', json: ruleRow } },
  } as const;
  return [
    keyEndpoint({
      operationId: 'listReviewRules',
      method: 'GET',
      path,
      tag,
      summary: 'List rules with the outcomes of their findings, by name',
      description:
        'All rules that can raise findings in the organization, and all that have raised some. A finding counts for each of its `rules`. ' +
        'A rule becomes `quiet` once enough outcomes are known and few of its findings are accepted: then only critical findings ' +
        'and one in ten of the others are posted.',
      access: reading,
      requires: anyone,
      limit: readLimit,
      query: rulesQuery,
      responses: { 200: { description: 'A page of rules', json: rulePage } },
      async handle(context, { query: { limit, cursor } }) {
        const { page, nextCursor } = await readOnePage(
          context.cursors,
          {},
          cursor,
          (after: RulePosition | undefined) => listRules(deps, context, { after, limit }),
        );
        return { json: { data: page.rules.map(presentRule), next_cursor: nextCursor } };
      },
    }),
    keyEndpoint({
      operationId: 'replayReviewRules',
      method: 'GET',
      path: `${path}/replay`,
      tag,
      summary: 'Which comments would have been posted, had rules become quiet from the beginning',
      description:
        'Replays the newest 20,000 comments that rules raised in the organization, in the order in which they were posted and their ' +
        'outcomes became known. `min_outcomes` and `mute_below` replace the current settings. Changes nothing.',
      access: reading,
      requires: anyone,
      limit: replayLimit,
      query: replayQuery,
      responses: {
        200: {
          description: 'The totals before and after, and the rules with fewer comments',
          json: replayAnswer,
        },
      },
      handle: async (context, { query }) => ({
        json: presentReplay(
          await replayRules(deps, context, { minOutcomes: query.min_outcomes, muteBelow: query.mute_below }),
        ),
      }),
    }),
    keyEndpoint({
      ...setting,
      operationId: 'setReviewRule',
      path,
      summary: 'Pin a rule, turn it off, or let its outcomes decide',
      description:
        'Applies to reviews that start afterwards. A rule of another analyzer can be set once it has raised a finding.',
      body: namedRuleBody,
      handle: async (context, { body }) => ({
        json: presentRule(await setRule(deps, context, { rule: body.rule, setting: body.state })),
      }),
    }),
    keyEndpoint({
      ...setting,
      operationId: 'setNamedReviewRule',
      path: `${path}/{rule}`,
      summary:
        'Pin a rule, turn it off, or let its outcomes decide; the path names it, with `%2F` for its slash',
      params: rulePath,
      body: ruleBody,
      handle: async (context, { params, body }) => ({
        json: presentRule(await setRule(deps, context, { rule: params.rule, setting: body.state })),
      }),
    }),
  ];
}
