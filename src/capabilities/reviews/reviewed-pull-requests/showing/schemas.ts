import { z } from 'zod';
import {
  commaListParameter,
  integerParameter,
  providerId,
  uuid,
  wireInstant,
  wireUuid,
} from '../../../../lib/wire/wire.ts';
import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import { severities } from '../../../../reviewer/finding-vocabulary.ts';
import type { HostComment } from '../../../connections/hosts/review-host.ts';
import { runModes, runStatuses, runTriggers } from '../../runs/run-record.ts';
import type { RunComparison } from './compare-runs.ts';
import type { PullRequestReference, ShownPullRequest } from './find-shown.ts';
import type { RunOverTime } from './list-runs.ts';
import type { ShownConversation } from './read-conversation.ts';

export const pullRequestPath = z.strictObject({
  repository_id: providerId,
  number: integerParameter(1, 2_147_483_647),
});

export const comparedPath = z.strictObject({ id: uuid });

/** The size of a page of reviews. */
const maxTitled = 100;

export const titledRunsQuery = z.strictObject({
  runs: commaListParameter(maxTitled).pipe(z.array(uuid).min(1)),
});

export const runTitles = z.strictObject({
  data: z.array(z.strictObject({ id: wireUuid, title: z.string() })),
});

export const shownPullRequest = z.strictObject({
  repository_id: z.string(),
  repository_name: z.string(),
  number: z.int(),
  url: z.string(),
  state: z.enum(['open', 'merged', 'closed']),
  is_draft: z.boolean().nullable(),
  is_fork: z.boolean().nullable(),
  title: z.string().nullable(),
  author: z.string().nullable(),
  labels: z.array(z.string()),
  base_branch: z.string().nullable(),
  head_revision: z.string().nullable(),
  may_read_code: z.boolean(),
  run_count: z.int().meta({ description: 'How many reviews there were; `runs` has the newest 100' }),
  runs: z.array(
    z.strictObject({
      id: wireUuid,
      status: z.enum(runStatuses),
      reason: z.string().nullable(),
      trigger: z.enum(runTriggers),
      mode: z.enum(runModes),
      head_revision: z.string().nullable(),
      created_at: wireInstant,
      started_at: wireInstant.nullable(),
      finished_at: wireInstant.nullable(),
      cost_usd: z.number(),
      calls: z.int(),
      findings: z.int(),
      since: z
        .strictObject({ run_id: wireUuid, added: z.int(), gone: z.int(), kept: z.int() })
        .nullable()
        .meta({ description: 'What changed since the review before it that came to a result' }),
    }),
  ),
});

const namedFinding = z.strictObject({
  finding_id: z.string(),
  title: z.string(),
  severity: z.enum(severities),
  path: z.string(),
  start_line: z.int().nullable(),
});

export const runComparison = z.strictObject({
  previous_id: wireUuid.nullable(),
  added: z.array(namedFinding),
  gone: z.array(namedFinding),
  kept: z.int(),
});

const comment = z.strictObject({
  id: z.string(),
  url: z.string(),
  author: z.strictObject({ username: z.string(), is_bot: z.boolean() }).nullable(),
  is_own: z.boolean(),
  body: z.string(),
  created_at: wireInstant,
});

export const conversation = z.strictObject({
  missing: z.enum(['not_connected', 'paused']).nullable(),
  comments: z.array(comment),
  threads: z.array(
    z.strictObject({
      id: z.string(),
      path: z.string(),
      side: z.enum(['new', 'old']),
      line: z.int().nullable(),
      is_resolved: z.boolean(),
      finding_id: z.string().nullable(),
      comments: z.array(comment),
    }),
  ),
  is_cut: z.boolean(),
});

export function presentPullRequest(
  { repositoryId, number }: PullRequestReference,
  pull: ShownPullRequest,
  mayReadCode: boolean,
  { runs, total }: { readonly runs: readonly RunOverTime[]; readonly total: number },
) {
  const { facts } = pull;
  return {
    repository_id: repositoryId,
    repository_name: pull.repositoryName,
    number,
    url: pull.url,
    state: pull.state,
    is_draft: pull.isDraft,
    is_fork: facts?.isFork ?? null,
    title: facts?.title === undefined ? null : redactCredentials(facts.title),
    author: facts?.author?.username ?? null,
    labels: facts?.labels ?? [],
    base_branch: facts?.base.ref ?? null,
    head_revision: pull.head,
    may_read_code: mayReadCode,
    run_count: total,
    runs: runs.map(presentRunOverTime),
  };
}

function presentRunOverTime({ head, createdAt, startedAt, finishedAt, costUsd, since, ...run }: RunOverTime) {
  return {
    ...run,
    head_revision: head,
    created_at: createdAt.toISOString(),
    started_at: startedAt?.toISOString() ?? null,
    finished_at: finishedAt?.toISOString() ?? null,
    cost_usd: costUsd,
    since: since && {
      run_id: since.runId,
      added: run.findings - since.kept,
      gone: since.before - since.kept,
      kept: since.kept,
    },
  };
}

export function presentComparison({ previousId, ...comparison }: RunComparison) {
  return { previous_id: previousId, ...comparison };
}

function presentComment({ id, url, author, isOwn, body, createdAt }: HostComment) {
  return {
    id,
    url,
    author: author && { username: author.username, is_bot: author.isBot },
    is_own: isOwn,
    body,
    created_at: createdAt.toISOString(),
  };
}

export function presentConversation({ missing, comments, threads, isCut }: ShownConversation) {
  return {
    missing,
    comments: comments.map(presentComment),
    threads: threads.map(({ isResolved, findingId, comments: said, ...thread }) => ({
      ...thread,
      is_resolved: isResolved,
      finding_id: findingId,
      comments: said.map(presentComment),
    })),
    is_cut: isCut,
  };
}
