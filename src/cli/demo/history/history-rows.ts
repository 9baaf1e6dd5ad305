import { createHash } from 'node:crypto';
import { subjectOfPull } from '../../../capabilities/findings/signals/signal-store.ts';
import { emptyReport } from '../../../reviewer/review-report.ts';
import type { DemoPerson } from '../company.ts';
import type { InstallationIds, Row, Tables } from '../recording.ts';
import type { PastFinding, PastPull } from './make-history.ts';

const minuteMs = 60_000;

/** Derives an id from parts; the same parts always give the same id. */
function uuidOf(...parts: readonly unknown[]): string {
  const hex = createHash('sha256').update(parts.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const later = (at: Date, minutes: number) => new Date(at.getTime() + minutes * minuteMs);

/** The rows that the server stores about a pull request that it reviewed long ago: everything but its code. */
function rowsOf(pull: PastPull, ids: InstallationIds): Record<string, Row[]> {
  const { repository, number, author, url, state, openedAt, endedAt, heads, base } = pull;
  const place = { organization_id: ids.organization, repository_id: ids.repositories[repository.id]! };
  const head = heads.at(-1)!;
  const runs = heads.map((revision, index) => {
    const at = later(openedAt, 1 + index * 190);
    return { id: uuidOf(place.repository_id, number, index), revision, at };
  });
  const newest = runs.at(-1)!;
  const person = { id: author.id, username: author.username, isBot: false };
  const facts = {
    author: person,
    labels: [],
    base: { sha: base, ref: 'main' },
    isFork: false,
    title: pull.title,
    description: '',
  };
  return {
    host_pull_requests: [
      {
        ...place,
        number,
        state,
        fingerprint: '\\x00',
        host_updated_at: endedAt,
        read_at: endedAt,
        opened_at: openedAt,
        url,
        title: pull.title,
        author_id: author.id,
        author_username: author.username,
        is_draft: false,
        head_revision: head,
        lines_added: pull.size.added,
        lines_removed: pull.size.removed,
        files_changed: pull.size.files,
        asked: state === 'open' ? [`user:${pull.reviewer.id}`] : [],
        reviewed_by: state === 'open' ? [] : [pull.reviewer.id],
        owners: [],
      },
    ],
    reviewed_pull_requests: [
      {
        ...place,
        number,
        url,
        state,
        is_draft: false,
        head_revision: head,
        facts,
        read_at: endedAt,
        reviewed_run_id: newest.id,
        reviewed_head: head,
        reviewed_base: base,
        reviewed_files: [],
      },
    ],
    review_runs: runs.map(({ id, revision, at }, index) => ({
      ...place,
      id,
      pull_request: number,
      pr_url: url,
      trigger: index === 0 ? 'opened' : 'push',
      mode: index === 0 ? 'full' : 'incremental',
      status: 'succeeded',
      base_revision: base,
      head_revision: revision,
      created_at: at,
      started_at: later(at, 0.1),
      finished_at: later(at, 0.6),
      actor_name: 'postil',
      attempts: 1,
      coverage: [],
      notes: [],
      model: pull.costUsd > 0 ? 'northwind-large' : null,
      input_tokens: Math.round(pull.costUsd * 210_000),
      output_tokens: Math.round(pull.costUsd * 9_000),
      cost_usd: pull.costUsd,
      calls: pull.costUsd > 0 ? 1 : 0,
      allowed_usd: 0,
      mcp_usage: [],
      status_due: false,
      tool_calls: 0,
      estimated_complexity: Math.min(5, 1 + Math.floor(pull.size.added / 90)),
      estimated_review_minutes: 4 + Math.floor(pull.size.added / 14),
      report: reportOf(pull),
    })),
    review_run_findings: runs.flatMap(({ id }, index) =>
      pull.findings
        .filter(({ accepted }) => index === 0 || accepted !== true)
        .map((finding, position) => ({
          organization_id: place.organization_id,
          run_id: id,
          position,
          state: index > 0 && finding.accepted === false ? 'dismissed' : 'open',
          ...said(finding),
          ...(finding.isPosted && { url: commentUrl(pull, finding) }),
          accepted: finding.accepted,
        })),
    ),
    review_findings: pull.findings.map((finding) => ({
      ...place,
      pull_request: number,
      kind: finding.rule.name,
      lineage: finding.path,
      head_revision: head,
      state: finding.accepted === true ? 'resolved' : 'open',
      ...said(finding),
      accepted: finding.accepted,
      chance: finding.accepted === null ? null : 0.12,
      ...(finding.isPosted && {
        comment_id: finding.id,
        thread_id: finding.id,
        url: commentUrl(pull, finding),
        posted_revision: heads[0],
        posted_path: finding.path,
        posted_start_line: finding.line,
        posted_end_line: finding.line,
        posted_at: later(runs[0]!.at, 1),
      }),
      first_run_id: runs[0]!.id,
      last_run_id: newest.id,
      created_at: runs[0]!.at,
      updated_at: newest.at,
    })),
    finding_outcomes: pull.findings.filter(isJudged).map((finding) => ({
      ...place,
      ...subjectOf(pull, finding),
      head,
      accepted: finding.accepted,
      signal: signalOf(finding),
      chance: 0.12,
      pr_url: url,
      changed_at: endedAt,
      is_reported: true,
    })),
    finding_signals: pull.findings.filter(isJudged).map((finding) => ({
      ...place,
      ...subjectOf(pull, finding),
      digest: `\\x${createHash('sha256').update(finding.id).digest('hex')}`,
      signal: signalOf(finding),
      source: finding.accepted === true ? 'rule' : 'git',
      at: endedAt,
      evidence: { head },
    })),
  };
}

const isJudged = ({ accepted }: PastFinding) => accepted !== null;
const signalOf = ({ accepted }: PastFinding) => (accepted === true ? 'finding_gone' : 'merged_untouched');
const subjectOf = ({ number }: PastPull, { id }: PastFinding) => ({
  subject: subjectOfPull(number),
  finding_id: id,
});

function said({ id, rule, path, line }: PastFinding): Row {
  return {
    finding_id: id,
    path,
    side: 'new',
    start_line: line,
    end_line: line,
    severity: rule.severity,
    category: rule.category,
    title: rule.title,
    body: rule.body,
    source_kind: 'rule',
    source_name: rule.name,
    learning_ids: [],
    quote: '',
    in_diff: true,
    related: [],
    confidence: 'proven',
    rules: [rule.name],
  };
}

function commentUrl({ url }: PastPull, { id }: PastFinding): string {
  return `${url}#issuecomment-${Number.parseInt(id.slice(0, 7), 16)}`;
}

function reportOf({ size, findings, reviewer }: PastPull) {
  const reasons = [
    ...(size.added + size.removed > 400 ? ['changes more than 400 lines'] : []),
    ...(findings.some(({ rule }) => rule.severity === 'major') ? ['has a critical or major finding'] : []),
  ];
  return {
    ...emptyReport,
    quiet: findings
      .filter(({ isPosted }) => !isPosted)
      .map(({ id }) => ({ finding_id: id, reason: 'rule_not_accepted' })),
    reviewers: [{ username: reviewer.username, reason: 'wrote most of the changed lines', share: 0.6 }],
    risk: { level: reasons.length > 0 ? 'medium' : 'low', reasons },
  };
}

/** All rows of a history, by table. */
export function historyRows(pulls: readonly PastPull[], ids: InstallationIds): Tables {
  const tables: Record<string, Row[]> = {};
  for (const pull of pulls)
    for (const [table, rows] of Object.entries(rowsOf(pull, ids))) {
      tables[table] ??= [];
      tables[table].push(...rows);
    }
  return tables;
}

const reference = ({ id, username }: DemoPerson) => ({ author_id: id, author_username: username });

/** A pull request as an event for the review metrics. */
export function eventOf(pull: PastPull): { readonly time: Date; readonly data: Record<string, unknown> } {
  const { state, openedAt, endedAt, reviewedAt } = pull;
  const isOver = state !== 'open';
  return {
    time: isOver ? endedAt : openedAt,
    data: {
      repository_id: pull.repository.id,
      number: pull.number,
      url: pull.url,
      state,
      ...reference(pull.author),
      created_at: openedAt.toISOString(),
      ready_for_review_at: openedAt.toISOString(),
      ...(isOver && { first_human_review_at: reviewedAt.toISOString(), closed_at: endedAt.toISOString() }),
      last_commit_at: later(openedAt, 190 * pull.pushes).toISOString(),
      ...(state === 'merged' && { merged_at: endedAt.toISOString() }),
      review_iterations: 1 + pull.pushes,
      estimated_complexity: Math.min(5, 1 + Math.floor(pull.size.added / 90)),
      estimated_review_minutes: 4 + Math.floor(pull.size.added / 14),
      findings: pull.findings
        .filter(({ isPosted }) => isPosted)
        .map((finding) => ({
          finding_id: finding.id,
          url: commentUrl(pull, finding),
          severity: finding.rule.severity,
          category: finding.rule.category,
          accepted: finding.accepted,
        })),
    },
  };
}
