import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostRefused } from '../host.ts';
import type { RestClient } from '../rest-client.ts';
import { mayPushToGitea } from './gitea-writers.ts';

const ada = { id: '7', username: 'ada' };

/** A host that answers these paths. */
function hostWith(answers: Readonly<Record<string, unknown>>): RestClient {
  const answerTo = (asked: string) => {
    const path = asked.split('?')[0]!;
    if (answers[path] === undefined) throw new HostRefused(403, 'the host answered 403');
    return answers[path];
  };
  return {
    read: async ({ path }) => answerTo(path) as never,
    readWithHeaders: async ({ path }) => ({
      value: answerTo(path) as never,
      headers: { 'x-total-count': '1' },
    }),
  };
}

test('who may push is what the host says of the same account', async () => {
  const permission = '/repos/acme/app/collaborators/ada/permission';
  const said = async (level: string, id = 7) =>
    mayPushToGitea(hostWith({ [permission]: { permission: level, user: { id } } }), '/repos/acme/app', ada);
  for (const level of ['owner', 'admin', 'write']) assert.equal(await said(level), true, level);
  for (const level of ['read', 'none']) assert.equal(await said(level), false, level);
  assert.equal(await said('write', 8), false, 'the name belongs to somebody else now');
});

test('without admin rights only teams that may write code say so, and nothing says no', async () => {
  const asked = (team: object, member: number) =>
    mayPushToGitea(
      hostWith({ '/repos/acme/app/teams': [{ id: 3, ...team }], '/teams/3/members': [{ id: member }] }),
      '/repos/acme/app',
      ada,
    );
  assert.equal(await asked({ permission: 'write' }, 7), true);
  assert.equal(await asked({ permission: 'read', units_map: { 'repo.code': 'write' } }, 7), true);
  assert.equal(await asked({ permission: 'write', units_map: { 'repo.code': 'read' } }, 7), null);
  assert.equal(await asked({ permission: 'write' }, 8), null);
  await assert.rejects(mayPushToGitea(hostWith({}), '/repos/acme/app', ada), HostRefused);
});
