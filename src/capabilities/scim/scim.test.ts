import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { freshId, member, organization } from '../../../test/sample-platform.ts';
import { startScimWorkspace, userSchema } from '../../../test/scim-workspace.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const startWorkspace = () => startScimWorkspace(server);

describe('a person whom the identity provider deactivates', () => {
  test('loses accounts, seat, keys, admin role and sessions at once, and no sync or document brings them back', async () => {
    const { alice, createUser, patch, accounts, document, isAdmin, aliceKey, slug, newToken, call } =
      await startWorkspace();
    document.workspaces[0]!.admins.push(alice);
    await server.platform(document);
    const key = await aliceKey();
    const token = await newToken(alice);
    const [person] = await server.database.sql`SELECT id FROM people WHERE email = ${alice}`;
    await server.database.sql`
      INSERT INTO dashboard_accounts (person_id, installation_admin, created_at) VALUES (${person!.id}, false, now())`;
    await server.database.sql`
      INSERT INTO dashboard_sessions (id_hash, person_id, created_at, last_seen_at, expires_at)
      VALUES (${Buffer.from(slug)}, ${person!.id}, ${server.now}, ${server.now}, ${new Date(server.now.getTime() + 3_600_000)})`;
    const sessions = () =>
      server.database.sql`SELECT 1 FROM dashboard_sessions WHERE person_id = ${person!.id}`;
    assert.equal((await server.get('/v1/me', key)).status, 200);
    assert.equal((await sessions()).length, 1);

    const { id } = await createUser(alice);
    assert.deepEqual((await accounts())[1], {
      provider_user_id: '2',
      active: true,
      seat: true,
      suspended: false,
    });
    const answer = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
    assert.deepEqual([answer.status, answer.json.active], [200, false]);

    const gone = { provider_user_id: '2', active: false, seat: false, suspended: true };
    assert.deepEqual((await accounts())[1], gone);
    assert.equal((await server.get('/v1/me', key)).status, 401);
    assert.equal((await call('GET', '/Users', undefined, token)).status, 401);
    assert.equal(await isAdmin(alice), false);
    assert.equal((await sessions()).length, 0);

    await server.platform(document);
    assert.deepEqual(
      (await accounts())[1],
      gone,
      'a document, or a sync of the host, does not bring them back',
    );
    assert.equal(await isAdmin(alice), false);

    await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    assert.deepEqual((await accounts())[1], { ...gone, active: true, suspended: false });
    assert.equal((await server.get('/v1/me', key)).status, 401, 'a revoked key stays revoked');
    const chains = await server.operator('GET', '/operator/v1/audit/verification');
    assert.equal(chains.json.verified, true);
  });

  test('an account that appears later is kept out too, and so is one of somebody who was deleted', async () => {
    const { slug, orgId, createUser, call, patch, accounts } = await startWorkspace();
    const late = `late@${slug}.test`;
    const { id } = await createUser(late, { active: false });
    const arrives = () =>
      server.platform({
        organizations: [
          {
            provider: 'github',
            provider_organization_id: orgId,
            members: [member('3', { email: late, seat: true })],
          },
        ],
      });
    await arrives();
    const keptOut = { provider_user_id: '3', active: false, seat: false, suspended: true };
    assert.deepEqual((await accounts())[2], keptOut);
    assert.deepEqual((await arrives()).json.members, { created: 0, updated: 0, unchanged: 1 });
    await patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' });
    assert.equal((await accounts())[2]!.active, true);

    assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
    assert.equal((await call('GET', `/Users/${id}`)).status, 404);
    await arrives();
    assert.deepEqual((await accounts())[2], keptOut);
    const again = await createUser(late);
    assert.equal(again.active, true);
    assert.equal((await accounts())[2]!.active, true);
  });

  test('an organization that joins the workspace follows', async () => {
    const { slug, createUser } = await startWorkspace();
    const orgId = freshId();
    const email = `roamer@${slug}.test`;
    await createUser(email, { active: false });
    const alone = organization({ provider_organization_id: orgId, members: [member('7', { email })] });
    await server.platform({ organizations: [alone] });
    await server.platform({
      organizations: [{ provider: 'github', provider_organization_id: orgId, workspace: slug }],
    });
    const [row] = await server.database.sql`
      SELECT m.active FROM members m JOIN organizations o ON o.id = m.organization_id WHERE o.provider_organization_id = ${orgId}`;
    assert.equal(row!.active, false);
  });
});

test('requests of Okta: look up, create, update by PUT, deactivate, and push a group', async () => {
  const { slug, call, patch, isAdmin } = await startWorkspace();
  const userName = `isaac@${slug}.test`;
  const lookup = `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`;
  const none = await call('GET', lookup);
  assert.deepEqual([none.status, none.json.totalResults, none.json.Resources], [200, 0, []]);
  assert.equal(none.headers['content-type'], 'application/scim+json; charset=utf-8');

  const created = await call('POST', '/Users', {
    schemas: [userSchema],
    userName,
    name: { givenName: 'Isaac', familyName: 'Brock' },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: 'Isaac Brock',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password: '1mz050nq',
    active: true,
  });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  assert.match(created.headers.location!, new RegExp(`/scim/v2/${slug}/Users/${id}$`));
  assert.equal(created.json.meta.location, created.headers.location);
  assert.doesNotMatch(created.text, /1mz050nq/, 'a password is neither stored nor shown');
  const found = await call('GET', lookup.replace('isaac', 'ISAAC'));
  assert.deepEqual(
    [found.json.totalResults, found.json.Resources[0].name.familyName, found.json.Resources[0].externalId],
    [1, 'Brock', '00ujl29u0le5T6Aj10h7'],
  );

  const twice = await call('POST', '/Users', { schemas: [userSchema], userName: userName.toUpperCase() });
  assert.deepEqual([twice.status, twice.json.scimType, twice.json.status], [409, 'uniqueness', '409']);

  const { meta: _, ...resource } = created.json;
  const put = await call('PUT', `/Users/${id}`, {
    ...resource,
    name: { givenName: 'Isaac', familyName: 'Newton' },
  });
  assert.deepEqual([put.status, put.json.name.familyName, put.json.id], [200, 'Newton', id]);

  const group = await call('POST', '/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Postil Admin',
    members: [],
  });
  assert.equal(group.status, 201, group.text);
  const groupPath = `/Groups/${group.json.id}`;
  const added = await patch(groupPath, {
    op: 'add',
    path: 'members',
    value: [{ value: id, display: userName }],
  });
  assert.equal(added.status, 204);
  assert.equal(await isAdmin(userName), true);
  assert.deepEqual(
    (await call('GET', `/Users/${id}`)).json.groups.map((one: { display: string }) => one.display),
    ['Postil Admin'],
  );
  await patch(groupPath, {
    op: 'replace',
    value: { id: group.json.id, displayName: 'Postil Former Admins' },
  });
  assert.equal(await isAdmin(userName), false);
  await patch(groupPath, { op: 'replace', value: { displayName: 'postil admin' } });
  assert.equal(await isAdmin(userName), true);
  await patch(groupPath, { op: 'remove', path: `members[value eq "${id}"]` });
  assert.equal(await isAdmin(userName), false);

  await patch(groupPath, { op: 'add', path: 'members', value: [{ value: id }] });
  const off = await patch(`/Users/${id}`, { op: 'replace', value: { active: false } });
  assert.deepEqual([off.json.active, await isAdmin(userName)], [false, false]);
  await patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
  assert.equal(await isAdmin(userName), true, 'still in the group');
  assert.equal((await call('DELETE', groupPath)).status, 204);
  assert.equal(await isAdmin(userName), false);
});

test('requests of Entra: text flags, capital verbs, paths with filters, and dotted names', async () => {
  const { slug, call, patch, isAdmin } = await startWorkspace();
  const userName = `ann.${slug}@tenant.onmicrosoft.test`;
  const mail = `ann@${slug}.test`;
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const created = await call('POST', '/Users', {
    schemas: [userSchema, enterprise],
    externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
    userName,
    active: 'True',
    emails: [{ primary: true, type: 'work', value: mail.toUpperCase() }],
    meta: { resourceType: 'User' },
    name: { formatted: 'Ann Example', familyName: 'Example', givenName: 'Ann' },
    roles: [],
    [enterprise]: { department: 'Engineering' },
  });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json;
  const user = `/Users/${id}`;
  assert.deepEqual([created.json.active, created.json.schemas], [true, [userSchema, enterprise]]);
  const known = await call(
    'GET',
    `/Users?filter=${encodeURIComponent('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')}`,
  );
  assert.equal(known.json.Resources[0].id, id);

  const renamed = await patch(
    user,
    { op: 'Replace', path: 'emails[type eq "work"].value', value: `new-${mail}` },
    { op: 'Replace', path: 'name.familyName', value: 'Other' },
    { op: 'Add', path: `${enterprise}:department`, value: 'Research' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '555' },
  );
  assert.equal(renamed.status, 200, renamed.text);
  assert.deepEqual(renamed.json.emails, [{ primary: true, type: 'work', value: `new-${mail}` }]);
  assert.deepEqual(renamed.json.name, { formatted: 'Ann Example', familyName: 'Other', givenName: 'Ann' });
  assert.deepEqual(renamed.json[enterprise], { department: 'Research' });
  assert.deepEqual(renamed.json.phoneNumbers, [{ type: 'mobile', value: '555' }]);

  const dotted = await patch(user, {
    op: 'Replace',
    value: { 'name.givenName': 'Anne', displayName: 'Anne', active: 'False' },
  });
  assert.deepEqual(
    [dotted.json.name.givenName, dotted.json.displayName, dotted.json.active],
    ['Anne', 'Anne', false],
  );
  const on = await patch(user, { op: 'Replace', path: 'active', value: [{ $ref: null, value: 'True' }] });
  assert.equal(on.json.active, true);

  const group = await call('POST', '/Groups', {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:Group',
      'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group',
    ],
    externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
    displayName: 'Postil Admin',
    meta: { resourceType: 'Group' },
  });
  const groupPath = `/Groups/${group.json.id}`;
  await patch(groupPath, { op: 'Add', path: 'members', value: [{ $ref: null, value: id }] });
  assert.equal(await isAdmin(`new-${mail}`), true);
  const brief = await call('GET', `${groupPath}?excludedAttributes=members`);
  assert.equal('members' in brief.json, false);
  const byName = await call(
    'GET',
    `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Postil Admin"')}`,
  );
  assert.equal(byName.json.totalResults, 1);
  await patch(groupPath, { op: 'Remove', path: 'members', value: [{ $ref: null, value: id }] });
  assert.equal(await isAdmin(`new-${mail}`), false);
  assert.deepEqual((await call('GET', groupPath)).json.members, []);
});

test('what Entra and Okta send besides: references, lists that grow, extensions without a path', async () => {
  const { slug, patch, createUser } = await startWorkspace();
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const email = `kim@${slug}.test`;
  const { id } = await createUser(email, { emails: [{ type: 'work', value: email, primary: true }] });
  const manager = { value: '7d1a', $ref: '../Users/7d1a' };
  const cases: [object, string, unknown][] = [
    [{ op: 'Add', path: `${enterprise}:manager`, value: manager }, enterprise, { manager }],
    [
      { op: 'Replace', path: `${enterprise}:manager.displayName`, value: 'Lee' },
      enterprise,
      { manager: { ...manager, displayName: 'Lee' } },
    ],
    [{ op: 'Remove', path: `${enterprise}:manager` }, enterprise, {}],
    [
      { op: 'Replace', value: { [`${enterprise}:manager`]: manager, [`${enterprise}:department`]: 'R&D' } },
      enterprise,
      { manager, department: 'R&D' },
    ],
    [
      { op: 'replace', value: { [enterprise]: { costCenter: '4130' } } },
      enterprise,
      { manager, department: 'R&D', costCenter: '4130' },
    ],
    [
      { op: 'add', path: 'emails', value: [{ type: 'home', value: 'kim@home.test' }] },
      'emails',
      [
        { type: 'work', value: email, primary: true },
        { type: 'home', value: 'kim@home.test' },
      ],
    ],
    [
      { op: 'Remove', path: 'Emails[Type eq "HOME"]' },
      'emails',
      [{ type: 'work', value: email, primary: true }],
    ],
    [
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'dev' },
      'roles',
      [{ primary: 'True', value: 'dev' }],
    ],
    [
      { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Ulm' },
      'addresses',
      [{ type: 'work', locality: 'Ulm' }],
    ],
    [{ op: 'Replace', path: 'DisplayName', value: 'Kim' }, 'DisplayName', 'Kim'],
    [{ op: 'Replace', path: 'displayname', value: 'Kim K.' }, 'DisplayName', 'Kim K.'],
  ];
  for (const [operation, attribute, expected] of cases) {
    const answer = await patch(`/Users/${id}`, operation);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json[attribute], expected, JSON.stringify(operation));
  }
  const off = await patch(`/Users/${id}`, { op: 'Add', path: 'active', value: false });
  assert.deepEqual([off.json.active, off.json.schemas], [false, [userSchema, enterprise]]);
});

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
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])
    assert.equal((await call('GET', path)).status, 200, path);
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
