import { z } from 'zod';
import type { CsvColumn } from '../../../../lib/wire/csv.ts';
import { must } from '../../../../lib/wire/own-checks.ts';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  providerId,
  wireInstant,
} from '../../../../lib/wire/wire.ts';
import { statusOfChecks } from '../../publishing/check-status.ts';
import { checkShape } from '../../run-findings/report-shape.ts';
import type { CheckedPullRequest } from './list-checked.ts';
import type { CheckMeasure, MeasuredWindow } from './measure-checks.ts';
import type { RepositoryChecks } from './read-repository-checks.ts';

const paging = { limit: integerParameter(1, 1000).default(100), cursor: cursorParameter.optional() };
const repositoryIds = commaListParameter(10).optional();
const checkName = z.string().min(1).max(50);
const states = z.enum(['failure', 'neutral', 'success']);

export const checkedQuery = z.strictObject({
  repository_ids: repositoryIds,
  state: states.optional(),
  failed: checkName
    .optional()
    .meta({ description: 'The name of a check: only pull requests on which it fails' }),
  ...paging,
});

export const checkedPage = z.strictObject({
  data: z.array(
    z
      .strictObject({
        repository_id: z.string(),
        pull_request: z.int(),
        pr_url: z.string(),
        title: z.string().nullable(),
        open: z.boolean().meta({ description: 'Checks of closed pull requests are not evaluated again' }),
        head_revision: z.string(),
        state: states.meta({ description: 'The state of the status `postil/checks`' }),
        evaluated_at: wireInstant,
        checks: z.array(checkShape),
      })
      .meta({ id: 'CheckedPullRequest' }),
  ),
  next_cursor: z.string().nullable(),
});

export function presentChecked(row: CheckedPullRequest) {
  return {
    repository_id: row.repositoryId,
    pull_request: row.pullRequest,
    pr_url: row.prUrl,
    title: row.title,
    open: row.isOpen,
    head_revision: row.head,
    state: statusOfChecks(row.verdicts).state,
    evaluated_at: row.evaluatedAt.toISOString(),
    checks: row.verdicts,
  };
}

export const repositoryChecksQuery = z.strictObject({
  repository_id: providerId.meta({ description: 'Its id at the Git provider' }),
  branch: z.string().min(1).max(255).optional().meta({
    description: 'A branch that pull requests are merged into (default: the one that was read last)',
  }),
});

const origin = z.enum(['built_in', 'organization', 'file', 'enforced']).meta({
  description:
    '`organization`: `defaults` in the review settings; `enforced`: `enforced_checks` in the review settings; `file`: the file of the repository',
});
export const repositoryChecks = z
  .strictObject({
    repository_id: z.string(),
    repository_name: z.string(),
    branch: z.string().nullable(),
    branches: z.array(z.string()).meta({ description: 'The branches whose file was read, at most 100' }),
    revision: z.string().nullable().meta({ description: 'The commit from which the file was read' }),
    file: z
      .string()
      .nullable()
      .meta({ description: 'The name of the file; null if there is none or it is invalid' }),
    read_at: wireInstant
      .nullable()
      .meta({ description: 'Null until the first pull request has been checked' }),
    notes: z.array(z.string()).meta({ description: 'What is wrong with the file' }),
    checks: z.array(
      z.strictObject({
        name: z.string().meta({
          description:
            'A check of `together` or `ask` that is both enforced and in the file is listed twice: both apply',
        }),
        kind: z.string().meta({ description: 'The key in `checks`, such as `title`' }),
        mode: z.enum(['error', 'warning', 'off']),
        mode_from: origin,
        settings: z.array(z.strictObject({ field: z.string(), value: z.unknown(), from: origin })).meta({
          description: 'A field that is both enforced and in the file is listed twice: both conditions apply',
        }),
      }),
    ),
  })
  .meta({ id: 'RepositoryChecks' });

export function presentRepositoryChecks({
  repositoryId,
  repositoryName,
  read,
  branches,
  checks,
}: RepositoryChecks): z.output<typeof repositoryChecks> {
  return {
    repository_id: repositoryId,
    repository_name: repositoryName,
    branch: read?.branch ?? null,
    branches: [...branches],
    revision: read?.revision ?? null,
    file: read?.file ?? null,
    read_at: read?.readAt.toISOString() ?? null,
    notes: [...(read?.notes ?? [])],
    checks: checks.map((check) => ({ ...check, settings: [...check.settings] })),
  };
}

const dayMs = 86_400_000;
const defaultDays = 30;
const maxDays = 366;
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

export const measuresQuery = z
  .strictObject({
    start_date: dateParameter.optional().meta({
      description: `Default: the ${defaultDays} days that end with \`end_date\`. Without \`end_date\`, at most ${maxDays} days count`,
    }),
    end_date: dateParameter.optional().meta({ description: 'Default: today' }),
    repository_ids: repositoryIds,
    format: z.enum(['json', 'csv']).default('json'),
    ...paging,
  })
  .check(daysInOrder)
  .check(
    must(
      ({ start_date, end_date }) => !start_date || !end_date || daysBetween(start_date, end_date) <= maxDays,
      { path: ['start_date'], error: `must be at most ${maxDays - 1} days before end_date` },
    ),
  );

/** The days to measure; a window that is longer than a year is cut to its last year. */
export function windowOf(query: z.output<typeof measuresQuery>, now: Date): MeasuredWindow {
  const endDate = query.end_date ?? dayOf(now.getTime());
  const days = query.start_date === undefined ? defaultDays : maxDays;
  const earliest = dayOf(Date.parse(endDate) - (days - 1) * dayMs);
  const startDate =
    query.start_date === undefined || query.start_date < earliest ? earliest : query.start_date;
  return { startDate, endDate, repositoryIds: query.repository_ids?.toSorted() };
}

const count = z.int().min(0);
const hours = z.number().min(0).nullable();
const measure = z
  .strictObject({
    check: z.string(),
    pull_requests: count.meta({
      description: 'Pull requests on which the check was first evaluated in these days',
    }),
    failed: count.meta({ description: 'Of these, the pull requests on which it failed at least once' }),
    failures: count.meta({ description: 'How often it started to fail on these pull requests' }),
    overrides: count.meta({ description: 'How often it was overridden in these days' }),
    became_green: count.meta({
      description: 'Of the pull requests on which it failed, those on which it passes now',
    }),
    median_hours_to_green: hours.meta({ description: 'From the first failure until it passes' }),
    p90_hours_to_green: hours.meta({ description: 'The 90th percentile of the same times' }),
  })
  .meta({ id: 'CheckMeasure' });
export const measurePage = z.strictObject({
  start_date: z.string(),
  end_date: z.string(),
  total: measure.meta({
    description:
      'All checks together, as in the status `postil/checks`: fails while any check of mode `error` fails; `overrides` is the sum over all checks',
  }),
  data: z.array(measure),
  next_cursor: z.string().nullable(),
});

export function presentMeasure(row: CheckMeasure): z.output<typeof measure> {
  return {
    check: row.check,
    pull_requests: row.pullRequests,
    failed: row.failed,
    failures: row.failures,
    overrides: row.overrides,
    became_green: row.becameGreen,
    median_hours_to_green: row.medianHours,
    p90_hours_to_green: row.p90Hours,
  };
}

const names = Object.keys(measure.shape) as (keyof z.output<typeof measure>)[];
export const measureColumns: readonly CsvColumn<z.output<typeof measure>>[] = names.map((name) => ({
  name,
  cell: (row) => row[name],
}));
