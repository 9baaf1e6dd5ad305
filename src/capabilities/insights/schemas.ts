import { z } from 'zod';
import { isUuid } from '../../lib/uuid.ts';
import { must } from '../../lib/wire/own-checks.ts';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  providerId,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';
import { categories, severities } from '../../reviewer/finding-vocabulary.ts';
import { signalNames, signalSources } from '../findings/signals/signal.ts';
import { runStatuses, runTriggers } from '../reviews/runs/run-record.ts';
import type { ChoiceKind } from './choices/list-choices.ts';
import type { BreakdownGrouping } from './measures/break-down.ts';
import type { CommentSource } from './window/insight-filter.ts';

const maxChosen = 50;

const isSource = (text: string): text is CommentSource =>
  /^(rule|model|reported|reviewer:.{1,255})$/.test(text);

/** Ids of teams; `none` stands for people in no team. */
const teamIds = commaListParameter(maxChosen)
  .transform((ids) => ids.map((id) => id.toLowerCase()))
  .check(must((ids) => ids.every((id) => id === 'none' || isUuid(id)), 'must be ids of teams, or none'));

const filterFields = {
  start_date: dateParameter,
  end_date: dateParameter,
  repository_ids: commaListParameter(maxChosen).optional(),
  author_ids: commaListParameter(maxChosen).optional(),
  team_ids: teamIds.optional(),
  source: z
    .string()
    .transform((text, issues): CommentSource => {
      if (isSource(text)) return text;
      issues.addIssue('must be rule, model, reported or reviewer:<name>');
      return z.NEVER;
    })
    .optional(),
  severity: z.enum([...severities, 'none']).optional(),
  category: z.enum([...categories, 'none']).optional(),
  outcome: z.enum(['accepted', 'not_accepted', 'unknown']).optional(),
};

export const insightListQuery = z
  .strictObject({
    ...filterFields,
    limit: integerParameter(1, 200).default(50),
    cursor: cursorParameter.optional(),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .check(daysInOrder);

export const insightQuery = z.strictObject(filterFields).check(daysInOrder);

export const knownDataQuery = z.strictObject({ repository_ids: filterFields.repository_ids });

/** The data that exists besides the merged pull requests of a window. */
export const knownData = z.strictObject({
  is_connected: z.boolean(),
  has_pull_requests: z.boolean(),
  open_pull_requests: z.int(),
  open_findings: z.int(),
  newest_merge_at: wireInstant.nullable(),
});

const breakdownGroupings = [
  'repository',
  'author',
  'team',
  'source',
  'source_and_severity',
  'severity',
  'category',
] as const satisfies readonly BreakdownGrouping[];

const breakdownSorts = ['name', 'pull_requests', 'posted'] as const;

export const breakdownQuery = z
  .strictObject({
    ...filterFields,
    by: z.enum(breakdownGroupings),
    sort: z.enum(breakdownSorts).default('name'),
    limit: integerParameter(1, 200).default(50),
    cursor: cursorParameter.optional(),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .check(daysInOrder);

const choiceKinds = ['repository', 'author', 'team', 'source'] as const satisfies readonly ChoiceKind[];

export const choiceQuery = z
  .strictObject({
    ...filterFields,
    of: z.enum(choiceKinds),
    search: z.string().trim().min(1).max(200).optional(),
    limit: integerParameter(1, 200).default(50),
    cursor: cursorParameter.optional(),
  })
  .check(daysInOrder);

export const chosenQuery = z.strictObject({
  repository_ids: filterFields.repository_ids,
  author_ids: filterFields.author_ids,
  team_ids: filterFields.team_ids,
});

const namesById = z.record(z.string(), z.string());
export const chosenNames = z.strictObject({ repositories: namesById, authors: namesById, teams: namesById });

const spread = z.strictObject({
  count: z.int(),
  median: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

const measureFields = {
  pull_requests: z.int(),
  first_review: spread,
  merge: spread,
  iterations: spread,
  posted: z.int(),
  accepted: z.int(),
  not_accepted: z.int(),
  compared: z.strictObject({ decided: z.int(), accepted: z.int(), expected: z.number() }),
};

export const windowSummary = z.strictObject({
  total: z.strictObject(measureFields),
  previous: z.strictObject({ start_date: z.string(), end_date: z.string(), ...measureFields }),
  size: z.enum(['day', 'week']),
  trend: z.array(z.strictObject({ date: z.string(), ...measureFields })),
});

const placeFields = {
  organization: wireUuid,
  repository_id: z.string(),
  repository_name: z.string(),
  number: z.int(),
};
const authorFields = { author_id: z.string().nullable(), author_name: z.string().nullable() };

const listedPullRequest = z.strictObject({
  ...placeFields,
  title: z.string().nullable().meta({ description: 'Null where neither the host nor a review told it' }),
  url: z.string(),
  ...authorFields,
  created_at: wireInstant,
  ready_for_review_at: wireInstant.nullable(),
  first_human_review_at: wireInstant.nullable(),
  merged_at: wireInstant,
  review_iterations: z.int().nullable(),
  posted: z.int(),
  accepted: z.int(),
  not_accepted: z.int(),
});

const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.strictObject({ data: z.array(row), next_cursor: z.string().nullable() });

export const breakdownPage = pageOf(
  z.strictObject({
    organization: wireUuid.nullable(),
    id: z.string().nullable(),
    name: z.string().nullable(),
    severity: z.string().nullable(),
    cost_usd: z.number().nullable(),
    ...measureFields,
  }),
);

export const choicePage = pageOf(
  z.strictObject({ organization: wireUuid.nullable(), id: z.string(), name: z.string().nullable() }),
);

export const pullRequestPage = pageOf(listedPullRequest);

const source = z.custom<CommentSource>((value) => typeof value === 'string' && isSource(value));

const commentFields = {
  finding_id: z.string(),
  url: z.string(),
  title: z.string().nullable(),
  path: z.string().nullable(),
  start_line: z.int().nullable(),
  severity: z.enum(severities).nullable(),
  category: z.enum(categories).nullable(),
  source,
  accepted: z.boolean().nullable(),
  chance: z.number().nullable(),
};

export const commentPage = pageOf(
  z.strictObject({ ...placeFields, merged_at: wireInstant, ...authorFields, ...commentFields }),
);

export const pullRequestPath = z.strictObject({
  repository_id: providerId,
  number: integerParameter(1, 2_147_483_647),
});

export const pullRequestDetails = z.strictObject({
  repository_id: z.string(),
  repository_name: z.string(),
  number: z.int(),
  url: z.string(),
  state: z.enum(['open', 'merged', 'closed']),
  ...authorFields,
  created_at: wireInstant.nullable(),
  ready_for_review_at: wireInstant.nullable(),
  first_human_review_at: wireInstant.nullable(),
  last_commit_at: wireInstant.nullable(),
  merged_at: wireInstant.nullable(),
  closed_at: wireInstant.nullable(),
  review_iterations: z.int().nullable(),
  estimated_complexity: z.int().nullable(),
  estimated_review_minutes: z.number().nullable(),
  comments: z.array(z.strictObject({ ...commentFields, signal: z.string().nullable() })),
  run_count: z.int().meta({ description: 'How many reviews there were; `runs` has the newest 100' }),
  runs: z.array(
    z.strictObject({
      id: wireUuid,
      status: z.enum(runStatuses),
      trigger: z.enum(runTriggers),
      created_at: wireInstant,
      started_at: wireInstant.nullable(),
      finished_at: wireInstant.nullable(),
      cost_usd: z.number(),
      calls: z.int(),
    }),
  ),
});

export const commentPath = pullRequestPath.extend({ finding_id: z.string().min(1).max(255) });

export const commentWord = z.strictObject({ accepted: z.boolean().nullable() });

export const commentSignalsQuery = z.strictObject({
  limit: integerParameter(1, 200).default(50),
  cursor: cursorParameter.optional(),
});

export const commentSignalPage = pageOf(
  z.strictObject({
    signal: z.enum(signalNames),
    source: z.enum(signalSources),
    at: wireInstant,
    actor: z.strictObject({ id: z.string().nullable(), name: z.string(), is_bot: z.boolean() }).nullable(),
    evidence: z.record(z.string(), z.unknown()),
  }),
);
