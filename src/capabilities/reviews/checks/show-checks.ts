import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../db/database.ts';
import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import type { Host } from '../../connections/hosts/host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { ShownChecks } from '../check-records/check-store.ts';
import { statusOfChecks } from '../publishing/check-status.ts';
import { describeChecks } from '../publishing/check-texts.ts';
import { showStatus } from '../publishing/publish-run.ts';
import { withChecks } from '../publishing/summary-text.ts';
import { findSummary } from '../reviewed-pull-requests/pull-request-store.ts';
import { refOf } from '../reviewed-pull-requests/running/plan-run.ts';
import type { RunUrl } from '../reviewed-pull-requests/running/show-state.ts';

export interface ShowChecksDeps {
  readonly database: Database;
  readonly runUrl: RunUrl;
}

interface ShownPull {
  readonly key: PullRequestKey;
  readonly pull: { readonly head: string };
  readonly served: ServedRepository;
  readonly review: { readonly runId: string | null };
}

/** Shows verdicts as a status of the head and in the summary, each only if it changed; returns what the host shows now. */
export async function showChecks(
  { database, runUrl }: ShowChecksDeps,
  host: Host,
  { key, pull, served, review: { runId } }: ShownPull,
  verdicts: readonly CheckVerdict[],
  before: ShownChecks | null,
): Promise<ShownChecks | null> {
  const repositoryUrl = `${served.connection.url}/${served.repository.fullName}`;
  const description = describeChecks(verdicts, repositoryUrl);
  await showInSummary(database, host, key, served, description);
  const status = verdicts.length > 0 ? { ...statusOfChecks(verdicts), description } : withdrawn(before);
  if (status === null || isDeepStrictEqual(status, before)) return before;
  const url = runId === null ? null : runUrl({ organizationId: key.organizationId, runId });
  const shown = { ...status, of: 'checks', url } as const;
  const refused = await showStatus(host, refOf(served), key.number, pull.head, shown);
  return refused === null ? status : null;
}

/** A green status to replace the former one if there are no checks any more, because hosts cannot delete a status. */
function withdrawn(before: ShownChecks | null): ShownChecks | null {
  const title = 'No checks are configured';
  return before && { state: 'success', title, description: `${title}.` };
}

async function showInSummary(
  database: Database,
  host: Host,
  key: PullRequestKey,
  served: ServedRepository,
  description: string,
): Promise<void> {
  const summaryId = await findSummary(database.sql, key);
  if (summaryId === null) return;
  for await (const { id, body } of host.listConversation(refOf(served), key.number)) {
    if (id !== summaryId) continue;
    const text = withChecks(body, description);
    if (text !== body) await host.editComment(refOf(served), key.number, id, text);
    return;
  }
}
