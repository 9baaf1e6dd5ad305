import { z } from 'zod';
import { cursorParameter, integerParameter, wireInstant } from '../../../lib/wire/wire.ts';
import type { Attention } from '../../../reviewer/judge/attention.ts';
import type { Replay, Tally } from './replay.ts';
import type { LearnedRule } from './rule-store.ts';

const rule = z.string().min(1).max(300).meta({ description: 'Name of a rule, such as `oxlint/no-eval`' });
const setting = z.enum(['pinned', 'off', 'automatic']).meta({
  description:
    '`pinned`: never quiet; `off`: raises nothing; `automatic`: decided by the outcomes of its findings',
});
const count = z.int().min(0);

export const rulesQuery = z.strictObject({
  limit: integerParameter(1, 1000).default(1000),
  cursor: cursorParameter.optional(),
});
/** In a path, the slash in the name of a rule is `%2F`. */
export const rulePath = z.strictObject({ rule });
export const ruleBody = z.strictObject({ state: setting });
export const namedRuleBody = z.strictObject({ rule, state: setting });

export const ruleRow = z.strictObject({
  rule: z.string(),
  posted: count.meta({ description: 'Comments on pull requests' }),
  accepted: count,
  rejected: count,
  unknown: count.meta({ description: 'Posted, with an unknown outcome' }),
  chance: z.number().min(0).max(1).nullable().meta({
    description:
      'How often lines like those of its findings change anyway, commented on or not; null if unknown',
  }),
  state: z.enum(['active', 'quiet', 'pinned', 'off']).meta({
    description:
      "By the organization's settings, which a repository can override. `quiet`: only critical findings and one in ten of the others are posted",
  }),
  since: wireInstant
    .nullable()
    .meta({ description: 'When the rule got this state; null if it never had another' }),
});
export const rulePage = z.strictObject({ data: z.array(ruleRow), next_cursor: z.string().nullable() });

export function presentRule({
  rule,
  posted,
  accepted,
  rejected,
  unknown,
  chance,
  state,
  since,
}: LearnedRule) {
  return {
    rule,
    posted,
    accepted,
    rejected,
    unknown,
    chance,
    state,
    since: since?.toISOString() ?? null,
  };
}

const shareParameter = z
  .string()
  .regex(/^(?:0|1|0?\.\d{1,6}|1\.0{1,6})$/, 'must be a number from 0 to 1')
  .transform(Number)
  .meta({ openapi: { type: 'number', minimum: 0, maximum: 1 } });

export const replayQuery = z.strictObject({
  min_outcomes: integerParameter(1, 100_000).optional(),
  mute_below: shareParameter.optional(),
});

const tally = z.strictObject({
  comments: count,
  accepted: count,
  rejected: count,
  unknown: count,
});
const total = tally.extend({
  comments_per_pull_request: z.number(),
  acceptance: z
    .number()
    .nullable()
    .meta({ description: 'The share of accepted comments among those with a known outcome' }),
});
export const replayAnswer = z.strictObject({
  min_outcomes: z.int(),
  mute_below: z.number(),
  pull_requests: count,
  before: total,
  after: total,
  rules: z
    .array(z.strictObject({ rule: z.string(), before: tally, after: tally }))
    .meta({ description: 'The rules with fewer comments' }),
});

export function presentReplay({
  attention,
  pullRequests,
  before,
  after,
  rules,
}: Replay & { attention: Attention }) {
  const totalOf = (counts: Tally) => {
    const known = counts.accepted + counts.rejected;
    return {
      ...counts,
      comments_per_pull_request: rounded(pullRequests === 0 ? 0 : counts.comments / pullRequests),
      acceptance: known === 0 ? null : rounded(counts.accepted / known),
    };
  };
  return {
    min_outcomes: attention.min_outcomes,
    mute_below: attention.mute_below,
    pull_requests: pullRequests,
    before: totalOf(before),
    after: totalOf(after),
    rules,
  };
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
