import type { Db } from '../../../db/database.ts';
import type { PullRequestFacts } from '../../../reviewer/checks/check-facts.ts';
import { findIssueReferences, type IssueReference } from '../../../reviewer/checks/pull-request-checks.ts';
import type { Host } from '../../connections/hosts/host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';

/** Looks up the issues that a pull request names, until one is found. */
export async function findLinkedIssues(
  db: Db,
  host: Host,
  served: ServedRepository,
  pull: Pick<PullRequestFacts, 'title' | 'description'> & { readonly isFork: boolean },
): Promise<PullRequestFacts['issues']> {
  const issues: PullRequestFacts['issues'][number][] = [];
  for (const named of findIssueReferences(pull, served.connection.url)) {
    const repository = await repositoryOf(db, served, named, pull.isFork);
    const exists = repository !== null && (await host.hasIssue(repository, named.number));
    issues.push({ reference: named.reference, exists });
    if (exists) break;
  }
  return issues;
}

/**
 * The repository of an issue, if it may be asked about: the account may see more than whoever wrote the text, and the answer
 * must not tell them what there is elsewhere.
 */
async function repositoryOf(
  db: Db,
  { connection, repository: { organizationId, fullName } }: ServedRepository,
  { repository }: IssueReference,
  isFork: boolean,
): Promise<string | null> {
  if (repository === null || repository.toLowerCase() === fullName.toLowerCase()) return fullName;
  if (isFork) return null;
  const [known] = await db<{ fullName: string }[]>`
    SELECT full_name AS "fullName" FROM connection_repositories
    WHERE organization_id = ${organizationId} AND connection_id = ${connection.id} AND lower(full_name) = ${repository.toLowerCase()}`;
  return known?.fullName ?? null;
}
