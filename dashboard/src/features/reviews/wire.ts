import type { z } from 'zod';
import type { review, reviewPage } from '../../../../src/capabilities/reviews/requests/schemas.ts';
import type { RunStage } from '../../../../src/capabilities/reviews/runs/watching/run-progress.ts';

export type RunPage = z.output<typeof reviewPage>;
export type RunSummary = RunPage['data'][number];
export type Run = z.output<typeof review>;
export type Finding = Run['findings'][number];

export const statuses = [
  'queued',
  'running',
  'succeeded',
  'degraded',
  'failed',
  'skipped',
  'superseded',
  'cancelled',
] as const satisfies readonly RunSummary['status'][];

export const statusColors: Readonly<Record<RunSummary['status'], string>> = {
  queued: 'gray',
  running: 'indigo',
  succeeded: 'teal',
  degraded: 'orange',
  failed: 'red',
  skipped: 'gray',
  superseded: 'gray',
  cancelled: 'gray',
};

export function isUnfinished({ status }: RunSummary): boolean {
  return status === 'queued' || status === 'running';
}

/** Findings that a member can still release. */
export function waitingIn({ release, findings }: Run): Finding[] {
  if (release === null) return [];
  return findings.filter(({ url, state }) => url === null && (state === 'open' || state === 'dismissed'));
}

/** Findings whose suggestions can be committed automatically. The server checks them again, and also the code. */
export function fixableIn({ pull_request, release, report, findings }: Run): Finding[] {
  if (pull_request === null) return [];
  const quiet = new Set(report?.quiet.map(({ finding_id }) => finding_id));
  return findings.filter(
    ({ finding_id, source, confidence, suggestion, side, start_line, state, accepted, url }) =>
      source.kind === 'rule' &&
      confidence === 'proven' &&
      suggestion !== null &&
      side === 'new' &&
      start_line !== null &&
      state === 'open' &&
      accepted !== false &&
      !quiet.has(finding_id) &&
      (release === null || url !== null),
  );
}

/** Polls often at first, then less and less often: most reviews take seconds, some take minutes. */
export function pollIntervalMs(runs: readonly RunSummary[], now = Date.now()): number {
  const youngest = Math.max(0, ...runs.filter(isUnfinished).map(({ created_at }) => Date.parse(created_at)));
  return Math.min(10_000, Math.max(1_000, (now - youngest) / 10));
}

export const stageNames: Readonly<Record<RunStage, string>> = {
  starting: 'Starting',
  reading: 'Reading the pull request',
  reviewing: 'Reviewing',
  publishing: 'Publishing',
};

/** The display name of the reviewed pull request or diff. */
export function subjectOf({ id, pull_request }: RunSummary, title?: string): string {
  if (pull_request === null) return `Diff ${id.slice(-6)}`;
  return title === undefined ? `Pull request #${pull_request}` : `#${pull_request} ${title}`;
}

export function durationOf({ started_at, finished_at }: RunSummary, now = Date.now()): string {
  if (started_at === null) return '–';
  const end = finished_at === null ? now : new Date(finished_at).getTime();
  const seconds = Math.max(0, Math.round((end - new Date(started_at).getTime()) / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
