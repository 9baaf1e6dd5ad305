import type { OrganizationId, RepositoryId } from '../../../../lib/ids.ts';
import type { ChangeSource } from '../../../../reviewer/change/change-source.ts';
import { withHost } from '../../../connections/open-host.ts';
import { findServingConnection } from '../../../connections/reading/serving-connection.ts';
import { withBase } from '../../mirror/base-commit.ts';
import type { PullRequestRunDeps } from './pull-request-attempt.ts';

/** A repository at the commit that a sent diff is based on. */
export type Behind = NonNullable<Extract<ChangeSource, { readonly kind: 'diff' }>['behind']>;

/**
 * Opens the repository that a sent diff is based on, while `work` runs. Optional for the review, so a failure to open it
 * becomes a note.
 */
export async function withRepositoryBehind<Result>(
  deps: PullRequestRunDeps,
  {
    organizationId,
    repositoryId,
  }: { readonly organizationId: OrganizationId; readonly repositoryId: RepositoryId },
  revision: string | null,
  signal: AbortSignal,
  work: (behind: Behind | undefined, notes: readonly string[]) => Promise<Result>,
): Promise<Result> {
  if (revision === null) return work(undefined, []);
  const without = (why: string) => work(undefined, [`The repository was not analyzed: ${why}`]);
  const served = await findServingConnection(deps.database.sql, organizationId, repositoryId);
  if (served === undefined) return without('no connection serves it');
  const { providerRepositoryId: id, fullName } = served.repository;
  let isOpen = false;
  try {
    return await withHost(deps, served.connection.id, async (host) => {
      const source = await host.cloneSource({ id, fullName }, 0);
      const wanted = { organizationId, repositoryId, revision };
      return withBase(deps, source, wanted, signal, (repository, incomplete) => {
        isOpen = true;
        return work({ repository, base: revision }, incomplete === null ? [] : [incomplete]);
      });
    });
  } catch (error) {
    // Once the repository was open, the error comes from the review itself.
    if (isOpen || signal.aborted) throw error;
    return without('its host does not give the commit, or cannot be reached');
  }
}
