import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { startTestApp } from '../../../test/harness.ts';
import { startScimWorkspace, userSchema } from '../../../test/scim-workspace.ts';

const server = await startTestApp();
beforeEach(() => server.resetLimits());

const startWorkspace = () => startScimWorkspace(server);

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

test('members of a group: a change touches those that it names, and one that names nobody clearly is refused', async () => {
  const { slug, call, patch, createUser } = await startWorkspace();
  const [ann, ben] = [await createUser(`ann@${slug}.test`), await createUser(`ben@${slug}.test`)];
  const group = await call('POST', '/Groups', { displayName: 'Team' });
  const path = `/Groups/${group.json.id}`;
  const both = { displayName: 'Team', members: [{ value: ann.id }, { value: ben.id }] };
  const names = async () =>
    (await call('GET', path)).json.members.map(({ display }: { display: string }) => display.slice(0, 3));
  const cases: [object, number, string[]][] = [
    [{ op: 'remove', path: `members[value eq "${ann.id.toUpperCase()}"]` }, 204, ['ben']],
    [{ op: 'Remove', path: 'members', value: [{ value: ann.id }] }, 204, ['ben']],
    [{ op: 'Remove', path: 'members', value: { value: ann.id } }, 204, ['ben']],
    [{ op: 'remove', path: 'members' }, 204, []],
    [{ op: 'remove', path: 'members', value: [] }, 204, ['ann', 'ben']],
    [{ op: 'replace', path: 'members', value: [{ value: ben.id }] }, 204, ['ben']],
    [{ op: 'replace', value: { members: [{ value: ben.id }] } }, 204, ['ben']],
    [{ op: 'replace', path: 'members', value: [] }, 204, []],
    [{ op: 'add', value: { members: [{ value: ben.id }] } }, 204, ['ann', 'ben']],
    [{ op: 'replace', path: 'members' }, 400, ['ann', 'ben']],
    [{ op: 'add', path: 'members' }, 400, ['ann', 'ben']],
    [{ op: 'add', path: 'members', value: [ann.id] }, 400, ['ann', 'ben']],
    [{ op: 'remove', value: { members: [{ value: ann.id }] } }, 400, ['ann', 'ben']],
    [{ op: 'remove', path: 'members[display eq "ann"]' }, 400, ['ann', 'ben']],
    [{ op: 'remove', path: `members[value eq "${ann.id}"].display` }, 400, ['ann', 'ben']],
    [{ op: 'replace', path: `members[value eq "${ann.id}"]`, value: { value: ben.id } }, 400, ['ann', 'ben']],
  ];
  for (const [operation, status, left] of cases) {
    assert.equal((await call('PUT', path, both)).status, 200);
    const answer = await patch(path, operation);
    assert.equal(answer.status, status, `${JSON.stringify(operation)}: ${answer.text}`);
    assert.deepEqual(await names(), left, JSON.stringify(operation));
  }
});

test('a person is known by the primary address, wherever it stands in the list', async () => {
  const { slug, alice, call, patch, createUser, accounts } = await startWorkspace();
  const isSuspended = async () =>
    (await accounts()).find(({ provider_user_id }) => provider_user_id === '2')!.suspended;
  const atHome = { type: 'home', value: `private@${slug}.test` };
  const user = await createUser(`a.example@${slug}.test`, {
    emails: [atHome, { type: 'work', value: alice, primary: 'True' }],
  });
  await patch(`/Users/${user.id}`, { op: 'replace', path: 'active', value: false });
  assert.equal(await isSuspended(), true);
  const emails = [
    { type: 'work', value: alice },
    { ...atHome, primary: true },
  ];
  const put = await call('PUT', `/Users/${user.id}`, { ...user, active: false, emails });
  assert.equal(put.status, 200, put.text);
  assert.equal(await isSuspended(), false, 'another address is another person');
});

test('a single email need not be a list', async () => {
  const { slug, patch, createUser } = await startWorkspace();
  const { id } = await createUser(`sole@${slug}.test`);
  const value = { type: 'work', value: `other@${slug}.test` };
  const changed = await patch(`/Users/${id}`, { op: 'replace', path: 'emails', value });
  assert.deepEqual([changed.status, changed.json.emails], [200, [value]]);
});
