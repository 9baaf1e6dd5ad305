import { z } from 'zod';
import {
  commaListParameter,
  cursorParameter,
  integerParameter,
  wireInstant,
  wireUuid,
} from '../../lib/wire/wire.ts';
import { severities } from '../../reviewer/finding-vocabulary.ts';
import { gapOf } from '../reviews/checks/review-state.ts';
import { statusOfChecks } from '../reviews/publishing/check-status.ts';
import { runStatuses } from '../reviews/runs/run-record.ts';
import { maxCounted } from './count-inbox.ts';
import type { InboxRow } from './list-inbox.ts';
import type { FoundFinding, FoundPullRequest } from './search-reviewed.ts';

const checkStates = z.enum(['failure', 'neutral', 'success']);
const riskLevels = z.enum(['low', 'medium', 'high']);
const searchText = z.string().trim().min(1).max(200);

export const inboxQuery = z.strictObject({
  tab: z.enum(['waiting', 'mine', 'all']).default('waiting'),
  repository_ids: commaListParameter(50).optional(),
  search: searchText.optional().meta({ description: 'Part of the title or of the author, or the number' }),
  checks: checkStates.optional(),
  risk: riskLevels.optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
  limit: integerParameter(1, 200).default(50),
  cursor: cursorParameter.optional(),
});

const count = z.int().min(0);
const size = count.nullable().meta({ description: 'Null where neither the host nor a review has counted' });

export const inboxPage = z.strictObject({
  data: z.array(
    z.strictObject({
      organization: z.strictObject({ id: wireUuid, name: z.string() }),
      repository_id: z.string(),
      repository_name: z.string(),
      number: z.int(),
      url: z.string(),
      title: z.string(),
      author: z.string().nullable(),
      is_draft: z.boolean(),
      opened_at: wireInstant,
      updated_at: wireInstant,
      added: size,
      removed: size,
      files: size,
      waits_because: z
        .enum(['asked', 'team', 'owner'])
        .nullable()
        .meta({ description: 'Why it waits for the person; null if it does not' }),
      checks: z.strictObject({ state: checkStates, text: z.string() }).nullable(),
      findings: z
        .record(z.enum(severities), count)
        .meta({ description: 'What is open, without what is quiet or not released' }),
      risk: z.strictObject({ level: riskLevels, reasons: z.array(z.string()) }).nullable(),
      review: z
        .strictObject({
          id: wireUuid,
          status: z.enum(runStatuses),
          created_at: wireInstant,
          lacks: z
            .string()
            .nullable()
            .meta({ description: 'What the newest version lacks of a review, as a sentence' }),
        })
        .nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

export const inboxSummary = z.strictObject({
  waiting: count.max(maxCounted).meta({ description: `Counted up to ${maxCounted}` }),
  mine: count.max(maxCounted),
  all: count.max(maxCounted),
  has_account: z.boolean(),
  is_connected: z.boolean(),
  has_read: z.boolean(),
  is_reading: z
    .boolean()
    .meta({ description: 'Whether the host is still asked for pull requests that were open already' }),
});

export function presentRow(row: InboxRow) {
  const { run, verdicts } = row;
  return {
    organization: { id: row.organizationId, name: row.organizationName },
    repository_id: row.repositoryId,
    repository_name: row.repositoryName,
    number: row.number,
    url: row.url,
    title: row.title ?? '',
    author: row.author,
    is_draft: row.isDraft,
    opened_at: row.openedAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    ...sizeOf(row),
    waits_because: row.waits,
    checks: verdicts && { state: statusOfChecks(verdicts).state, text: statusOfChecks(verdicts).title },
    findings: row.findings,
    risk: row.risk && { level: row.risk.level, reasons: [...row.risk.reasons] },
    review: run && {
      id: run.id,
      status: run.status,
      created_at: new Date(run.created_at).toISOString(),
      lacks: gapOf(run.head === row.head ? run : undefined),
    },
  };
}

/** The size that the host reports, or else that of the last review. */
function sizeOf({ added, removed, files, areas }: InboxRow) {
  const sum = (of: 'added' | 'removed' | 'files') =>
    areas === null ? null : areas.reduce((total, area) => total + area[of], 0);
  return {
    added: added ?? sum('added'),
    removed: removed ?? sum('removed'),
    files: files ?? sum('files'),
  };
}

export const searchQuery = z.strictObject({
  search: searchText,
  limit: integerParameter(1, 20).default(5),
});

export const searchAnswer = z.strictObject({
  pull_requests: z.array(
    z.strictObject({
      organization: wireUuid,
      repository_id: z.string(),
      repository_name: z.string(),
      number: z.int(),
      title: z.string(),
      state: z.enum(['open', 'merged', 'closed']),
    }),
  ),
  findings: z.array(
    z.strictObject({
      organization: wireUuid,
      repository_name: z.string(),
      number: z.int(),
      run_id: wireUuid,
      finding_id: z.string(),
      title: z.string(),
      path: z.string(),
    }),
  ),
});

export function presentFound({
  pulls,
  findings,
}: {
  readonly pulls: readonly FoundPullRequest[];
  readonly findings: readonly FoundFinding[];
}): z.output<typeof searchAnswer> {
  return {
    pull_requests: pulls.map(({ repositoryId, repositoryName, title, ...pull }) => ({
      ...pull,
      repository_id: repositoryId,
      repository_name: repositoryName,
      title: title ?? '',
    })),
    findings: findings.map(({ repositoryName, runId, findingId, ...finding }) => ({
      ...finding,
      repository_name: repositoryName,
      run_id: runId,
      finding_id: findingId,
    })),
  };
}
