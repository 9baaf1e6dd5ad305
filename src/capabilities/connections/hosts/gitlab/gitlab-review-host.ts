import { basicAuthorization } from '../basic-authorization.ts';
import { HostRefused } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import type { HostThread, PostedText, RepositoryRef, ReviewHost } from '../review-host.ts';
import { fencedBlock } from '../writing/fenced-block.ts';
import type { WriteBudget } from '../writing/write-limits.ts';
import { gitLabPages } from './gitlab-client.ts';
import { publishGitLabReview } from './gitlab-publish-review.ts';
import type {
  GitLabBranch,
  GitLabDiscussion,
  GitLabMember,
  GitLabNote,
  GitLabUser,
} from './gitlab-responses.ts';
import { setGitLabStatus } from './gitlab-status.ts';
import { commentOf, threadOf } from './gitlab-threads.ts';

const developerLevel = 30;

/** GitLab suggestions can replace at most this many lines above the commented one. */
const maxLinesAbove = 100;

/** The writing side of GitLab. */
export function gitLabReviewHost(
  url: string,
  client: RestClient,
  token: string,
  writes: WriteBudget,
): ReviewHost {
  let ownId: string | undefined;
  async function readOwnId(): Promise<string> {
    ownId ??= String((await client.read<GitLabUser>({ path: '/user', size: 'short' }))?.id);
    return ownId;
  }
  const pathOf = ({ id }: { id: string }, number: number) =>
    `/projects/${encodeURIComponent(id)}/merge_requests/${number}`;
  const pageOf = ({ fullName }: { fullName: string }, number: number) =>
    `${url}/${fullName}/-/merge_requests/${number}`;
  const placeOf = ({ id }: GitLabNote, repository: RepositoryRef, number: number): PostedText => ({
    id: String(id),
    url: `${pageOf(repository, number)}#note_${id}`,
  });

  const readThreads: ReviewHost['readThreads'] = async (repository, number) => {
    const own = await readOwnId();
    const threads: HostThread[] = [];
    const path = `${pathOf(repository, number)}/discussions`;
    for await (const discussion of gitLabPages<GitLabDiscussion>(client, path)) {
      const thread = threadOf(discussion, pageOf(repository, number), own);
      if (thread !== null) threads.push(thread);
    }
    return threads;
  };

  async function write(method: 'POST' | 'PUT', path: string, body: string): Promise<GitLabNote | null> {
    await writes.spend();
    return client.read<GitLabNote>({ method, path, body: { body } });
  }

  return {
    async cloneSource({ fullName }, number) {
      return {
        url: `${url}/${fullName}.git`,
        authorization: basicAuthorization('oauth2', token),
        headRef: `refs/merge-requests/${number}/head`,
      };
    },
    readThreads,
    async *listConversation(repository, number) {
      const own = await readOwnId();
      const path = `${pathOf(repository, number)}/notes?order_by=created_at&sort=asc`;
      for await (const note of gitLabPages<GitLabNote>(client, path))
        if (!note.system && note.type !== 'DiffNote') yield commentOf(note, pageOf(repository, number), own);
    },
    suggestionBlock: (replacement, lineCount) =>
      lineCount - 1 > maxLinesAbove
        ? fencedBlock('', replacement)
        : fencedBlock(`suggestion:-${lineCount - 1}+0`, replacement),
    publishReview: (repository, number, review) =>
      publishGitLabReview({ client, writes, path: pathOf(repository, number), review }, () =>
        readThreads(repository, number),
      ),
    async writeComment(repository, number, body) {
      const note = await write('POST', `${pathOf(repository, number)}/notes`, body);
      if (note === null) throw new HostRefused(404, 'the host has no such merge request');
      return placeOf(note, repository, number);
    },
    async editComment(repository, number, id, body) {
      const note = await write('PUT', `${pathOf(repository, number)}/notes/${id}`, body);
      return note && placeOf(note, repository, number);
    },
    async reply(repository, number, { id }, body) {
      const note = await write('POST', `${pathOf(repository, number)}/discussions/${id}/notes`, body);
      if (note === null) throw new HostRefused(404, 'the host has no such thread');
      return placeOf(note, repository, number);
    },
    async resolve(repository, number, { id }) {
      const path = `${pathOf(repository, number)}/discussions/${id}`;
      try {
        return (await client.read({ method: 'PUT', path, body: { resolved: true } })) !== null;
      } catch (error) {
        if (error instanceof HostRefused) return false;
        throw error;
      }
    },
    setStatus: ({ id }, number, sha, status) =>
      setGitLabStatus(client, encodeURIComponent(id), number, sha, status),
    async mayPush({ id }, person) {
      const path = `/projects/${encodeURIComponent(id)}/members/all/${encodeURIComponent(person.id)}`;
      const member = await client.read<GitLabMember>({ path });
      return member !== null && member.state === 'active' && member.access_level >= developerLevel;
    },
    async isProtected({ id }, branch) {
      const path = `/projects/${encodeURIComponent(id)}/repository/branches/${encodeURIComponent(branch)}`;
      return (await client.read<GitLabBranch>({ path }))?.protected ?? null;
    },
    commitAddress: ({ id, username }) => `${id}-${username}@users.noreply.${new URL(url).hostname}`,
  };
}
