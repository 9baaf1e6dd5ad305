import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestApp } from '../../harness.ts';
import type { fillForge } from '../forge/sample-forge.ts';
import type { HostDouble } from '../host-double.ts';

/** Tests for any host that open pull requests are stored with everything that the Inbox shows. */
export function checkAsked(
  { database: { sql } }: TestApp,
  { state }: HostDouble,
  forge: ReturnType<typeof fillForge>,
  bring: () => Promise<void>,
): void {
  const read = async (number: number) => {
    const [row] = await sql`
      SELECT p.state, p.title, p.author_username, p.opened_at, p.is_draft, p.head_revision, p.files_changed, p.asked, p.reviewed_by
      FROM host_pull_requests p JOIN repositories r ON r.organization_id = p.organization_id AND r.id = p.repository_id
      WHERE r.name = 'app' AND p.number = ${number}`;
    return row!;
  };

  test('requested and given reviews are stored, with title, author, age and size', async () => {
    const pull = state.open(forge.app, forge.ada);
    state.edit(pull, { title: 'feat: a token ghp_0123456789abcdefghijABCDEFGHIJ012345 in a title' });
    state.ask(pull, [forge.ben, forge.reviewer]);
    await bring();
    const before = await read(pull.number);
    assert.deepEqual(
      before.asked.toSorted(),
      [forge.ben, forge.reviewer].map(({ id }) => `user:${id}`).toSorted(),
    );
    assert.deepEqual(before.reviewed_by, []);
    assert.deepEqual(
      [before.state, before.author_username, before.is_draft, before.head_revision, before.files_changed],
      ['open', forge.ada.login, false, pull.commits.at(-1)!.sha, pull.size.files],
    );
    assert.equal(before.opened_at.toISOString(), pull.createdAt.toISOString());
    assert.match(before.title, /^feat: a token/);
    assert.doesNotMatch(before.title, /ghp_0123/);
    state.review(pull, forge.ben, { state: 'approved' });
    await bring();
    const after = await read(pull.number);
    assert.deepEqual(after.asked, [`user:${forge.reviewer.id}`]);
    assert.deepEqual(after.reviewed_by, [String(forge.ben.id)]);
    state.end(pull, 'closed');
    await bring();
    assert.equal((await read(pull.number)).state, 'closed');
  });
}
