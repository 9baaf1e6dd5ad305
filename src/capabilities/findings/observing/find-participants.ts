import type { Database } from '../../../db/database.ts';
import type { HostPullRequest } from '../../connections/hosts/host.ts';
import type { HostThread } from '../../connections/hosts/review-host.ts';
import type { ServedRepository } from '../../connections/reading/serving-connection.ts';
import { findMembership } from '../../people/seats/has-seat.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import type { Participants } from './thread-signals.ts';

interface Conversation {
  readonly key: PullRequestKey;
  readonly pull: HostPullRequest;
  readonly served: ServedRepository;
  readonly threads: readonly HostThread[];
}

/** Determines whose words count in the threads of a pull request, and who is a program. */
export async function findParticipants(
  database: Database,
  { key, pull, threads, served }: Conversation,
): Promise<Participants> {
  const authors = threads.flatMap(({ comments }) => comments.flatMap(({ author }) => author ?? []));
  const bots = new Set(authors.filter(({ isBot }) => isBot).map(({ id }) => id));
  const members = new Set<string>();
  for (const id of new Set(authors.map((author) => author.id))) {
    const membership = await findMembership(database.sql, key.organizationId, id);
    if (membership?.isBot) bots.add(id);
    if (membership !== undefined) members.add(id);
  }
  const { account } = served.connection;
  return {
    mayAnswer: (id) => members.has(id) || id === pull.author?.id,
    isBot: (id, username) =>
      id === account.id || username === account.username || bots.has(id) || username.endsWith('[bot]'),
  };
}
