import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { startScimWorkspace, userSchema } from '../../../test/scim-workspace.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const startWorkspace = () => startScimWorkspace(server);

test('filters: every attribute a provider knows a user or group by, in any case, joined by "and"', async () => {
  const { slug, call, createUser, patch } = await startWorkspace();
  const address = `mail@${slug}.test`;
  const one = await createUser(`One@${slug}.test`, {
    externalId: 'E1',
    emails: [{ type: 'work', value: address }],
  });
  const two = await createUser(`two@${slug}.test`, { externalId: 'E2', active: false });
  const group = await call('POST', '/Groups', { displayName: 'Team "A"', members: [{ value: one.id }] });
  assert.equal(group.status, 201);
  const found = async (type: string, filter: string) => {
    const answer = await call('GET', `/${type}?filter=${encodeURIComponent(filter)}`);
    assert.equal(answer.status, 200, `${filter}: ${answer.text}`);
    assert.equal(answer.json.totalResults, answer.json.Resources.length);
    return answer.json.Resources.map(({ id }: { id: string }) => id);
  };
  const users: [string, string[]][] = [
    [`userName eq "one@${slug}.test"`, [one.id]],
    [`USERNAME EQ "ONE@${slug}.TEST"`, [one.id]],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "two@${slug}.test"`, [two.id]],
    ['externalId eq "E2"', [two.id]],
    ['externalId eq "e2"', []],
    [`emails[type eq "work"].value eq "${address.toUpperCase()}"`, [one.id]],
    [`emails.value eq "${address}"`, [one.id]],
    [`emails eq "two@${slug}.test"`, [two.id]],
    ['active eq true', [one.id]],
    ['active eq False', [two.id]],
    [`id eq "${one.id.toUpperCase()}" and active eq true`, [one.id]],
    [`id eq "${one.id}" and externalId eq "E2"`, []],
    ['userName eq "no\\u0062ody and userName eq \\"x\\""', []],
  ];
  for (const [filter, ids] of users) assert.deepEqual(await found('Users', filter), ids, filter);
  const groups: [string, string[]][] = [
    ['displayName eq "team \\"a\\""', [group.json.id]],
    [`id eq "${group.json.id}" and members eq "${one.id}"`, [group.json.id]],
    [`members.value eq "${two.id}"`, []],
    [`members[value eq "${one.id}"].value eq "${one.id}"`, [group.json.id]],
  ];
  for (const [filter, ids] of groups) assert.deepEqual(await found('Groups', filter), ids, filter);
  for (const filter of [
    'userName',
    'userName eq',
    'userName eq alice',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" and',
    'userName eq "a" userName eq "b"',
    'userName sw "a"',
    'not (userName eq "a")',
    'title pr',
    'userName eq "\\x"',
    'userName eq "\\u0000"',
    'externalId eq "\\ud800"',
    '',
  ]) {
    const answer = await call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
    assert.deepEqual([answer.status, answer.json.scimType], [400, 'invalidFilter'], filter);
  }
  const joined = await patch(`/Users/${one.id}`, {
    op: 'replace',
    path: 'emails[type eq "work" and primary eq true].value',
    value: 'x',
  });
  assert.deepEqual([joined.status, joined.json.scimType], [400, 'invalidPath']);
});

test('lists are counted from 1 and cut to what was asked for', async () => {
  const { slug, call, createUser } = await startWorkspace();
  for (const name of ['a', 'b', 'c']) await createUser(`${name}@${slug}.test`);
  const page = await call('GET', '/Users?startIndex=2&count=1');
  assert.deepEqual(
    [page.json.totalResults, page.json.startIndex, page.json.itemsPerPage, page.json.Resources[0].userName],
    [3, 2, 1, `b@${slug}.test`],
  );
  assert.deepEqual((await call('GET', '/Users?startIndex=-4&count=0')).json.Resources, []);
});

test('what the server supports can be read, also one by one where its lists say', async () => {
  const { slug, call } = await startWorkspace();
  assert.equal((await call('GET', '/ServiceProviderConfig')).json.etag.supported, false);
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const { json } = await call('GET', path);
    assert.equal(json.totalResults, 2);
    for (const listed of json.Resources) {
      const at = listed.meta.location.split(`/scim/v2/${slug}`)[1];
      assert.deepEqual((await call('GET', at)).json, listed);
    }
    assert.equal((await call('GET', `${path}/Nothing`)).status, 404);
  }
});

test('bad requests get an error of SCIM, and change nothing', async () => {
  const { slug, call, patch, createUser, token } = await startWorkspace();
  const { id } = await createUser(`bad@${slug}.test`);
  const user = `/Users/${id}`;
  const cases: [
    string,
    Promise<{ status: number; json: { scimType?: string } }>,
    number,
    string | undefined,
  ][] = [
    ['a filter that is none', call('GET', '/Users?filter=userName'), 400, 'invalidFilter'],
    ['a filter by something else', call('GET', '/Users?filter=title%20eq%20%22x%22'), 400, 'invalidFilter'],
    ['a path that is none', patch(user, { op: 'replace', path: 'a b', value: 1 }), 400, 'invalidPath'],
    [
      'a flag that is none',
      patch(user, { op: 'replace', path: 'active', value: 'perhaps' }),
      400,
      'invalidValue',
    ],
    ['no userName', call('POST', '/Users', { schemas: [userSchema] }), 400, 'invalidValue'],
    ['no address', call('POST', '/Users', { userName: 'nobody' }), 400, 'invalidValue'],
    ['an unknown verb', patch(user, { op: 'move', path: 'active' }), 400, 'invalidValue'],
    ['no operations', call('PATCH', user, { Operations: [] }), 400, 'invalidValue'],
    ['a value that is missing', patch(user, { op: 'replace', path: 'title' }), 400, 'invalidValue'],
    ['emails that are texts', patch(user, { op: 'add', path: 'emails', value: ['a'] }), 400, 'invalidValue'],
    ['removing the name', patch(user, { op: 'remove', path: 'userName' }), 400, 'invalidPath'],
    [
      'an unknown member',
      call('POST', '/Groups', {
        displayName: 'G',
        members: [{ value: '00000000-0000-4000-8000-000000000000' }],
      }),
      400,
      'invalidValue',
    ],
    [
      'a member that is no id',
      call('POST', '/Groups', { displayName: 'G', members: [{ value: 'x' }] }),
      400,
      'invalidValue',
    ],
    ['an unknown user', call('GET', '/Users/00000000-0000-4000-8000-000000000000'), 404, undefined],
    ['an id that is none of ours', call('GET', '/Users/abcdefgh'), 404, undefined],
    ['a change of such a user', patch('/Users/abcdefgh', { op: 'remove', path: 'title' }), 404, undefined],
    ['a deletion of such a group', call('DELETE', '/Groups/1'), 404, undefined],
    [
      'another type of body',
      server.call('POST', `/scim/v2/${slug}/Users`, {
        body: 'x',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
      }),
      415,
      undefined,
    ],
    ['no token', server.call('GET', `/scim/v2/${slug}/Users`), 401, undefined],
  ];
  for (const [what, request, status, scimType] of cases) {
    const answer = await request;
    assert.deepEqual([answer.status, answer.json.scimType], [status, scimType], what);
  }
  const list = await call('GET', '/Users');
  assert.deepEqual(
    list.json.Resources.map((one: { userName: string }) => one.userName),
    [`bad@${slug}.test`],
  );
  assert.equal((await call('GET', '/Groups')).json.totalResults, 0);
});

test('a workspace sees and changes only its own users and groups', async () => {
  const one = await startWorkspace();
  const two = await startWorkspace();
  const { id } = await one.createUser(one.alice);
  assert.equal((await two.call('GET', `/Users/${id}`)).status, 404);
  assert.equal((await two.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status, 404);
  assert.equal((await two.call('DELETE', `/Users/${id}`)).status, 404);
  assert.equal((await two.call('GET', '/Users')).json.totalResults, 0);
  const group = await two.call('POST', '/Groups', { displayName: 'Postil Admin', members: [{ value: id }] });
  assert.equal(group.status, 400);
  const foreign = await server.call('GET', `/scim/v2/${one.slug}/Users`, {
    headers: { authorization: `Bearer ${two.token}` },
  });
  assert.equal(foreign.status, 404);
  // The same person elsewhere is untouched.
  const { id: elsewhere } = await two.createUser(one.alice);
  await two.patch(`/Users/${elsewhere}`, { op: 'replace', value: { active: false } });
  assert.equal((await one.accounts())[1]!.active, true);
});
