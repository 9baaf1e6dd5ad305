import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { HostApproval, HostPullRequest } from '../../capabilities/connections/hosts/host.ts';
import type { HostComment, HostThread } from '../../capabilities/connections/hosts/review-host.ts';
import { storyEnd } from './story/make-repository.ts';
import { readStory, type Story } from './story/read-story.ts';

/** The repositories of the demo that have real code. */
const storyNames = ['storefront', 'ledger', 'gateway'] as const;

/** The tables of a recording, in the order of their foreign keys. */
export const recordedTables = [
  'learnings',
  'host_pull_requests',
  'reviewed_pull_requests',
  'review_runs',
  'review_run_findings',
  'review_findings',
  'followed_findings',
  'finding_outcomes',
  'finding_signals',
  'pull_request_checks',
  'check_records',
  'check_answers',
  'check_overrides',
  'branch_checks',
  'coverage_reports',
  'addressed_comments',
  'repository_inventories',
  'repository_packages',
] as const;

export type RecordedTable = (typeof recordedTables)[number];
export type Row = Readonly<Record<string, unknown>>;
export type Tables = Partial<Record<RecordedTable, readonly Row[]>>;

/** A pull request with its state at the host at the end of the recording. */
export interface RecordedPull {
  readonly repository: string;
  readonly pull: HostPullRequest;
  readonly approvals: readonly HostApproval[];
  readonly threads: readonly HostThread[];
  readonly conversation: readonly HostComment[];
}

export interface RecordedChange {
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly resource_summary: string;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** The server's data after the stories were replayed to it (test/demo/record-demo.ts). */
export interface Recording {
  readonly tables: Readonly<Record<RecordedTable, readonly Row[]>>;
  readonly pulls: readonly RecordedPull[];
  readonly audit: readonly RecordedChange[];
}

/** The ids that rows of an installation refer to. */
export interface InstallationIds {
  readonly organization: string;
  /** Our ids, by the host's. */
  readonly repositories: Readonly<Record<string, string>>;
}

const file = (name: string) => new URL(`./story/${name}`, import.meta.url);
export const recordingFile = file('recorded.json.gz');

/** The stories of the repositories with real code. */
export function readStories(): Promise<Story[]> {
  return Promise.all(storyNames.map(async (name) => readStory(await readFile(file(`${name}.txt`), 'utf8'))));
}

const instant = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g;
const wholeInstant = new RegExp(`^${instant.source}$`);

/** The recording for an installation with these ids, with all times shifted so that its story ends at the given time. */
export async function readRecording(end: Date, ids: InstallationIds): Promise<Recording> {
  const shift = end.getTime() - storyEnd.getTime();
  const packed = await readFile(recordingFile);
  let text = (await promisify(gunzip)(packed)).toString();
  const former = JSON.parse(text) as InstallationIds;
  text = text.replaceAll(instant, (found) => new Date(Date.parse(found) + shift).toISOString());
  text = text.replaceAll(former.organization, ids.organization);
  for (const [id, uuid] of Object.entries(former.repositories))
    text = text.replaceAll(uuid, ids.repositories[id]!);
  const { tables, pulls, audit } = JSON.parse(text) as Recording;
  const asDates = (_key: string, value: unknown) =>
    typeof value === 'string' && wholeInstant.test(value) ? new Date(value) : value;
  return { tables, pulls: JSON.parse(JSON.stringify(pulls), asDates), audit };
}
