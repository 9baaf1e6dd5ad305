import { findMemberRights } from '../../../../access/organization-rows.ts';
import type { Db, Tx } from '../../../../db/database.ts';
import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import type { AuditChange } from '../../../audit-log/record-changes.ts';
import type { PullRequestKey } from '../../../pull-requests/pull-request-state.ts';
import { findOverrides, type Override, storeOverride } from '../../check-records/override-store.ts';
import { lockPullRequest } from '../../reviewed-pull-requests/pull-request-store.ts';

export interface OverrideRequest extends Omit<Override, 'createdAt'> {
  /** The version that it is about. */
  readonly head: string;
}

export type OverrideOutcome =
  | { readonly kind: 'forbidden' | 'moved' }
  | { readonly kind: 'known'; readonly by: string }
  | { readonly kind: 'done'; readonly change: AuditChange };

/** Whether an account may manage settings: people who decide what is enforced may also grant exceptions. */
export async function mayOverride(
  db: Db,
  { organizationId }: Pick<PullRequestKey, 'organizationId'>,
  { id }: Override['actor'],
): Promise<boolean> {
  return (await findMemberRights(db, organizationId, id)).isAdmin;
}

/**
 * Lets a check of one version of a pull request count as passed, as part of the given transaction. The right is confirmed
 * again, because it may have been revoked in the meantime.
 */
export async function overrideCheck(
  tx: Tx,
  key: PullRequestKey,
  { providerRepositoryId }: { readonly providerRepositoryId: string },
  request: OverrideRequest,
  now: Date,
): Promise<OverrideOutcome> {
  const { check, actor, head, commentUrl } = request;
  if (!(await mayOverride(tx, key, actor))) return { kind: 'forbidden' };
  const pull = await lockPullRequest(tx, key);
  if (pull?.head !== head || pull.state !== 'open') return { kind: 'moved' };
  const reason = redactCredentials(request.reason);
  if (!(await storeOverride(tx, key, head, { ...request, reason, createdAt: now }))) {
    const known = (await findOverrides(tx, key, head)).find((override) => override.check === check);
    return { kind: 'known', by: known!.actor.name };
  }
  const change: AuditChange = {
    organizationId: key.organizationId,
    action: 'pull_request.check_overridden',
    resourceType: 'pull_request',
    resourceId: `${providerRepositoryId}/${key.number}`,
    resourceSummary: pull.url,
    metadata: { check, reason, head_revision: head, comment: commentUrl },
  };
  return { kind: 'done', change };
}
