import { createHash } from 'node:crypto';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { Observed } from './observe-part.ts';

/** By the ids of findings, what was seen of them in the code. */
export type Look = ReadonlyMap<string, Observed>;

const maxPullRequests = 500;

/**
 * What was last seen of the code of pull requests, and on what grounds. Commits do not change: while the grounds stay, as
 * with every comment, there is nothing to fetch and nothing to compare.
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
