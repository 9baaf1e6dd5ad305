import type { CallerContext } from '../../../../access/caller-context.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import { AppError } from '../../../../lib/app-error.ts';
import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import { shownPath } from '../../../../redaction/shown-path.ts';
import { RetryLater } from '../../../../work/unit-of-work.ts';
import type { HostComment, HostThread } from '../../../connections/hosts/review-host.ts';
import { ConnectionPaused, type HostDeps, hostFault, withHost } from '../../../connections/open-host.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { findSummary } from '../pull-request-store.ts';
import { refOf } from '../running/plan-run.ts';
import { findShown, type PullRequestReference } from './find-shown.ts';

export interface ShownThread extends Pick<HostThread, 'id' | 'path' | 'side' | 'line' | 'isResolved'> {
  /** The finding of ours that the thread is about, if any. */
  readonly findingId: string | null;
  readonly comments: readonly HostComment[];
}

export interface ShownConversation {
  /** Why the conversation cannot be read. */
  readonly missing: 'not_connected' | 'paused' | null;
  readonly comments: readonly HostComment[];
  readonly threads: readonly ShownThread[];
  /** Whether the host has more entries. */
  readonly isCut: boolean;
}

/** The limit on entries; more are read at the host. */
const maxEntries = 200;
const maxLength = 10_000;
const nothing = { comments: [], threads: [], isCut: false };

/** The conversation of a pull request as the host has it now, for people who may read its code. */
export async function readConversation(
  deps: HostDeps,
  context: Pick<CallerContext, 'scope' | 'principal'>,
  reference: PullRequestReference,
): Promise<ShownConversation> {
  const { organization, rights } = onlyOrganization(context.scope);
  const { repositoryKey, isReader } = await findShown(deps, context, reference);
  if (!isReader && !rights.isAdmin)
    throw new AppError('PERMISSION_DENIED', 'You may not read this repository at its host');
  const key = { organizationId: organization.id, repositoryId: repositoryKey, number: reference.number };
  try {
    return await readFromHost(deps, key);
  } catch (error) {
    if (error instanceof ConnectionPaused) return { missing: 'paused', ...nothing };
    const fault = hostFault(error instanceof RetryLater ? error.cause : error);
    if (fault === undefined) throw error;
    throw new AppError('CONNECTION_REFUSED', `The conversation could not be read from its host: ${fault}`);
  }
}

async function readFromHost(deps: HostDeps, key: PullRequestKey): Promise<ShownConversation> {
  const { sql } = deps.database;
  const served = await findServingConnection(sql, key.organizationId, key.repositoryId);
  if (served === undefined) return { missing: 'not_connected', ...nothing };
  const [summaryId, ids] = [await findSummary(sql, key), await findThreads(deps, key)];
  return withHost(deps, served.connection.id, async (host) => {
    const repository = refOf(served);
    const comments: HostComment[] = [];
    for await (const comment of host.listConversation(repository, key.number)) {
      // The page shows the report already.
      if (comment.id !== summaryId) comments.push(comment);
      if (comments.length > maxEntries) break;
    }
    const threads = await host.readThreads(repository, key.number);
    return {
      missing: null,
      comments: comments.slice(0, maxEntries).map(asShown),
      threads: threads.slice(0, maxEntries).map(({ id, path, side, line, isResolved, comments: said }) => ({
        id,
        path: shownPath(path),
        side,
        line,
        isResolved,
        findingId: ids.get(id) ?? null,
        comments: said.slice(0, maxEntries).map(asShown),
      })),
      isCut:
        comments.length > maxEntries ||
        threads.length > maxEntries ||
        threads.some(({ comments: said }) => said.length > maxEntries),
    };
  });
}

/** The findings of the pull request, by the threads about them. */
async function findThreads(
  { database: { sql } }: Pick<HostDeps, 'database'>,
  { organizationId, repositoryId, number }: PullRequestKey,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ thread: string; finding: string }[]>`
    SELECT thread_id AS thread, finding_id AS finding FROM review_findings
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND pull_request = ${number}
      AND thread_id IS NOT NULL`;
  return new Map(rows.map(({ thread, finding }) => [thread, finding]));
}

/** The comment without hidden text (such as HTML comments) and without credentials. */
function asShown(comment: HostComment): HostComment {
  const body = comment.body.replaceAll(/<!--.*?(?:-->|$)/gs, '').trim();
  return { ...comment, body: redactCredentials(body).slice(0, maxLength).toWellFormed() };
}
