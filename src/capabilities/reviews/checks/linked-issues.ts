import type { Db } from '../../../db/database.ts';
import type { PullRequestFacts } from '../../../reviewer/checks/check-facts.ts';
import { findIssueReferences, type IssueReference } from '../../../reviewer/checks/pull-request-checks.ts';
import { type Host, HostRefused, type LinkedIssue } from '../../connections/hosts/host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import { refOf } from '../reviewed-pull-requests/running/plan-run.ts';

/** Looks up the issues that a pull request names, until one is found; if none is, those that the host links to it. */
export async function findLinkedIssues(
  db: Db,
  host: Host,
  served: ServedRepository,
  pull: Pick<PullRequestFacts, 'title' | 'description'> & {
    readonly isFork: boolean;
    readonly number: number;
  },
): Promise<PullRequestFacts['issues']> {
  const issues: PullRequestFacts['issues'][number][] = [];
  for (const named of findIssueReferences(pull, served.connection.url)) {
    const repository = await repositoryOf(db, served, named, pull.isFork);
    const exists = repository !== null && (await host.hasIssue(repository, named.number));
    issues.push({ reference: named.reference, exists });
    if (exists) return issues;
  }
  const [linked] = await findLinks(host, served, pull);
  return linked === undefined ? issues : [...issues, { reference: linked.reference, exists: true }];
}

/** The issues that the host links; for a fork, only those in the repository itself. */
async function findLinks(
  host: Host,
  served: ServedRepository,
  { number, isFork }: { readonly number: number; readonly isFork: boolean },
): Promise<readonly LinkedIssue[]> {
  try {
    const linked = await host.listLinkedIssues(refOf(served), number);
    return linked.filter(({ isHere }) => isHere || !isFork);
  } catch (error) {
    if (error instanceof HostRefused) return [];
    throw error;
  }
}

/**
 * The repository of an issue, if it may be looked up. The account can see more than the author of the text, so the answer
 * must not reveal what exists in other repositories.
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
