import { createHash } from 'node:crypto';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { Observed } from './observe-part.ts';

/** What was observed about findings in the code, by their ids. */
export type Look = ReadonlyMap<string, Observed>;

const maxPullRequests = 500;

/**
 * A cache of the observations in the code of pull requests, with a digest of what they depend on. Commits are immutable, so
 * as long as that is unchanged, as after a mere comment, there is nothing to fetch and compare.
 */
export class RememberedLooks {
  readonly #looks = new Map<string, { readonly grounds: string; readonly look: Look }>();

  find(key: PullRequestKey, grounds: unknown): Look | undefined {
    const known = this.#looks.get(nameOf(key));
    return known?.grounds === digest(grounds) ? known.look : undefined;
  }

  keep(key: PullRequestKey, grounds: unknown, look: Look): void {
    const name = nameOf(key);
    this.#looks.delete(name);
    this.#looks.set(name, { grounds: digest(grounds), look });
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > maxPullRequests) this.#looks.delete(oldest!);
  }
}

const nameOf = ({ organizationId, repositoryId, number }: PullRequestKey) =>
  `${organizationId}/${repositoryId}/${number}`;

function digest(grounds: unknown): string {
  return createHash('sha256').update(JSON.stringify(grounds)).digest('base64');
}
