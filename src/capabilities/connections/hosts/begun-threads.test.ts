import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readGiteaPullRequest } from './gitea/gitea-pull-request.ts';
import { readGiteaThreads } from './gitea/gitea-threads.ts';
import { readGitHubThreads } from './github/github-threads.ts';

const page = (nodes: readonly object[]) => ({ pageInfo: { hasNextPage: false, endCursor: null }, nodes });
const comment = {
  url: 'https://github.test/o/r/pull/1#discussion_r1',
  body: 'Look',
  createdAt: '2026-01-01T00:00:00Z',
  author: null,
  originalCommit: { oid: 'abc' },
  reactionGroups: null,
};

async function onGitHub(more: object) {
  const thread = { id: 't', path: 'a.ts', diffSide: 'RIGHT', isResolved: false, resolvedBy: null, ...more };
  const threads = page([{ ...thread, comments: page([comment]) }]);
  const answer = { repository: { pullRequest: { reviewThreads: threads } } };
  const client = { query: async () => answer } as unknown as Parameters<typeof readGitHubThreads>[0];
  const [found] = await readGitHubThreads(client, 'o/r', 1, () => false);
  return found!;
}

test('GitHub: an outdated thread keeps the lines and the version that it was begun on; one about a file has no lines', async () => {
  const outdated = await onGitHub({ line: null, originalLine: 9, originalStartLine: 7, subjectType: 'LINE' });
  assert.deepEqual([outdated.line, outdated.begun], [null, { revision: 'abc', startLine: 7, line: 9 }]);
  const present = await onGitHub({ line: 12, startLine: 10, originalLine: 9, originalStartLine: null });
  assert.deepEqual([present.startLine, present.line], [10, 12]);
  assert.deepEqual(present.begun, { revision: 'abc', startLine: 9, line: 9 });
  assert.deepEqual([outdated.isPlacedInHead, present.isPlacedInHead], [false, true]);
  const file = await onGitHub({ line: null, originalLine: null, subjectType: 'FILE' });
  assert.deepEqual(file.begun, { revision: 'abc', startLine: null, line: null });
});

test('Gitea: a position is one of the version that was commented on', async () => {
  const said = {
    id: 5,
    html_url: 'https://gitea.test/5',
    user: null,
    body: 'Look',
    created_at: comment.createdAt,
  };
  const review = { id: 1, state: 'COMMENT', comments_count: 1 };
  const placed = { ...said, path: 'a.ts', position: 4, commit_id: 'abc' };
  const client = {
    read: async () => [placed],
    readWithHeaders: async () => ({ value: [review], headers: { 'x-total-count': '1' } }),
  } as unknown as Parameters<typeof readGiteaThreads>[0];
  const [thread] = await readGiteaThreads(client, '/pulls/1', '9');
  assert.deepEqual(thread?.begun, { revision: 'abc', startLine: 4, line: 4 });
});

test('Gitea: a merged pull request begins where it branched off, not at a base that contains it', async () => {
  const at = '2026-01-01T00:00:00Z';
  const side = (sha: string) => ({ sha, ref: 'main', repo_id: 1 });
  const pull = { number: 1, html_url: '', title: '', user: null, created_at: at, updated_at: at };
  const baseOf = async (more: object) => {
    const client = {
      read: async () => ({ ...pull, head: side('head'), base: side('tip'), merge_base: 'fork', ...more }),
      readWithHeaders: async () => ({ value: [], headers: { 'x-total-count': '0' } }),
    } as unknown as Parameters<typeof readGiteaPullRequest>[0];
    return (await readGiteaPullRequest(client, { id: '1', fullName: 'o/r' }, 1, []))?.base.sha;
  };
  assert.equal(await baseOf({ merged: true, merged_at: at }), 'fork');
  assert.equal(
    await baseOf({ merged: true, merged_at: at, merge_base: undefined }),
    'tip',
    'an older version',
  );
  assert.equal(await baseOf({ merged: false, merged_at: null }), 'tip');
});
