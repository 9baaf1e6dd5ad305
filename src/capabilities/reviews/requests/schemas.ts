import { z } from 'zod';
import { onSound } from '../../../lib/wire/own-checks.ts';
import type { CodedFault } from '../../../lib/wire/wire.ts';
import {
  commaListParameter,
  cursorParameter,
  dateParameter,
  daysInOrder,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../../lib/wire/wire.ts';
import { findingShape } from '../run-findings/finding-shape.ts';
import { reportShape } from '../run-findings/report-shape.ts';
import { fixStates } from '../runs/fix-record.ts';
import { maxSentBytes, maxSentFiles, maxStoredFindings } from '../runs/run-limits.ts';
import { type RunStatus, runModes, runStatuses, runTriggers } from '../runs/run-record.ts';
import { sizeOfDiff } from './create-review.ts';

const tooLarge: CodedFault = { errorCode: 'PAYLOAD_TOO_LARGE' };

export const reviewBody = z
  .strictObject({
    repository_id: providerId.meta({ description: 'Its id at the Git provider' }),
    pull_request: z.int().min(1).max(2_147_483_647).optional().meta({ description: 'Its number' }),
    mode: z.enum(runModes).default('incremental'),
    diff: z.string().min(1).optional().meta({ description: 'A unified diff, as `git diff` writes it' }),
    base_revision: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal digits')
      .optional()
      .meta({
        description:
          'The commit that the diff applies to; if the repository is connected, the review reads the repository at this commit as well',
      }),
    files: z
      .array(z.strictObject({ path: z.string().min(1).max(4096), content: z.string() }))
      .max(maxSentFiles)
      .optional()
      .meta({ description: 'New contents of files in the diff' }),
  })
  .check(
    onSound(({ value, issues }) => {
      const fault = (path: string, message: string) =>
        issues.push({ code: 'custom', path: [path], message, input: value });
      if ((value.diff === undefined) === (value.pull_request === undefined))
        fault('diff', 'exactly one of diff and pull_request is required');
      else if (value.files !== undefined && value.diff === undefined)
        fault('files', 'is only allowed with diff');
      else if (value.base_revision !== undefined && value.diff === undefined)
        fault('base_revision', 'is only allowed with diff');
      else if (sizeOfDiff({ diff: value.diff ?? '', files: value.files ?? [] }) > maxSentBytes)
        issues.push({
          code: 'custom',
          path: ['diff'],
          message: `the diff and the contents of its files are larger than ${maxSentBytes} bytes`,
          params: tooLarge,
          input: value,
        });
    }),
  );

export const reviewPath = z.strictObject({ id: uuid });

export const releaseBody = z.strictObject({
  finding_ids: z.array(z.string().min(1).max(64)).max(maxStoredFindings).optional().meta({
    description:
      'The findings to post (default: all). The others count as dismissed until they are released, too',
  }),
});

const maxWatchedRuns = 100;

export const watchedRuns = z.strictObject({
  runs: commaListParameter(maxWatchedRuns).pipe(z.array(uuid).min(1)),
});

const isStatus = (text: string): text is RunStatus => runStatuses.some((status) => status === text);

const statusParameter = commaListParameter(runStatuses.length)
  .transform((values, issues): RunStatus[] => {
    if (values.every(isStatus)) return values;
    issues.addIssue(`each value must be one of ${runStatuses.join(', ')}`);
    return z.NEVER;
  })
  .meta({
    openapi: { type: 'string', description: `One or several, comma-separated: ${runStatuses.join(', ')}` },
  });

export const reviewsQuery = z
  .strictObject({
    repository_ids: commaListParameter(10).optional(),
    status: statusParameter.optional(),
    start_date: dateParameter.optional(),
    end_date: dateParameter.optional(),
    limit: integerParameter(1, 1000).default(100),
    cursor: cursorParameter.optional(),
  })
  .check(daysInOrder);

export const createdReview = z.strictObject({ id: wireUuid, status: z.enum(runStatuses) });

const summaryFields = {
  id: wireUuid,
  repository_id: z.string(),
  pull_request: z.int().nullable(),
  pr_url: z.string().nullable(),
  trigger: z.enum(runTriggers),
  mode: z.enum(runModes),
  status: z.enum(runStatuses),
  reason: z.string().nullable(),
  base_revision: z.string().nullable(),
  head_revision: z.string().nullable(),
  created_at: wireInstant,
  started_at: wireInstant.nullable(),
  finished_at: wireInstant.nullable(),
  usage: z.strictObject({
    model: z.string().nullable(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number(),
    calls: z.int(),
    tool_calls: z.int().meta({ description: 'How often the model looked something up in the repository' }),
  }),
  estimated_complexity: z.int().min(1).max(5).nullable(),
  estimated_review_minutes: z.int().nullable(),
  release: z.enum(['waiting', 'released']).nullable().meta({
    description:
      'With `publish: on_release`: whether it still waits for a member to release it; null if it is posted automatically',
  }),
  notes: z.array(z.string()).meta({ description: 'Remarks for the reader, without duplicates' }),
};

export const fixShape = z.strictObject({
  status: z.enum(fixStates),
  commit: z.string().nullable().meta({ description: 'The commit on the branch, once it is `done`' }),
  finding_ids: z.array(z.string()).meta({ description: 'The findings whose suggestions are in the commit' }),
  left_over: z
    .int()
    .meta({ description: 'How many suggestions could not be applied safely and are left to people' }),
  reason: z.string().nullable().meta({ description: 'Why it was `refused`' }),
  requested_at: wireInstant,
});

export const review = z.strictObject({
  ...summaryFields,
  coverage: z.array(
    z.strictObject({
      path: z.string(),
      state: z.enum(['full', 'partial', 'skipped']),
      reason: z.string().nullable(),
    }),
  ),
  findings: z.array(findingShape),
  report: reportShape.nullable(),
  fix: fixShape.nullable().meta({
    description: 'The state of the last request to commit its safe suggestions; null if there was none',
  }),
});

export const reviewPage = z.strictObject({
  data: z.array(z.strictObject(summaryFields)),
  next_cursor: z.string().nullable(),
});
