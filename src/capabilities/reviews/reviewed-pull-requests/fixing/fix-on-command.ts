import type { Db } from '../../../../db/database.ts';
import type { Fix, FixActor, FixKey } from '../../runs/fix-record.ts';
import { findCommitOfRun, findFix, requestFix } from '../../runs/fix-store.ts';
import { findKnownFindings } from '../following/known-finding-store.ts';
import type { ReviewedPullRequest } from '../pull-request-facts.ts';
import type { CommitDeps } from '../running/base-configuration.ts';
import { commitSuggestions, type FixPlace } from './commit-suggestions.ts';
import { settleFix } from './settle-fix.ts';

/** A command in a comment, and who gave it. */
export interface FixCommand {
  readonly pull: ReviewedPullRequest;
  /** The id of the comment. */
  readonly request: string;
  readonly actor: FixActor;
  readonly now: Date;
}

/**
 * Commits the safe suggestions of a pull request's last review, because a comment asks for it. Idempotent per comment; null
 * if the newest commit has not been reviewed.
 */
export async function fixOnCommand(
  deps: CommitDeps,
  place: FixPlace,
  { pull, request, actor, now: requestedAt }: FixCommand,
): Promise<Fix | null> {
  const { sql } = deps.database;
  const { organizationId, repositoryId, number, lastReview } = pull;
  const key: FixKey = { organizationId, repositoryId, number, request };
  let fix = await findFix(sql, key);
  if (fix === undefined) {
    if (lastReview === null) return null;
    const { runId, head } = lastReview;
    // If the only newer commit is the one that another request made, this request ends with the same commit.
    if (head !== pull.head && (await findCommitOfRun(sql, { organizationId, runId }))?.commit !== pull.head)
      return null;
    fix = await requestFix(sql, { ...key, runId, head, actor, requestedAt });
  }
  if (fix.state !== 'waiting') return fix;
  const end = await commitSuggestions(deps, fix, place);
  const { providerRepositoryId } = place.served.repository;
  await settleFix(deps.database, fix, end, { now: requestedAt, providerRepositoryId });
  return (await findFix(sql, key))!;
}

/** The places of the findings whose suggestions were committed, in the order of their files. */
export async function listFixed(db: Db, fix: Fix) {
  const fixed = new Set(fix.findingIds);
  return (await findKnownFindings(db, fix))
    .filter(({ identity }) => fixed.has(identity))
    .map(({ path, startLine, source }) => ({ path, line: startLine, rule: source.name }));
}
