import type { Answers, Step } from './step.ts';

const userId = (answers: Answers) => ({ id: answers.createScimUser.id, workspace: 'acme' });
const groupId = (answers: Answers) => ({ id: answers.createScimGroup.id, workspace: 'acme' });
const acme = () => ({ workspace: 'acme' });
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The requests of an identity provider. */
export const scimSteps: readonly Step[] = [
  {
    operation: 'createScimUser',
    as: 'workspace',
    path: acme,
    body: () => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'user-9003@acme.test',
      externalId: '00u1',
      name: { givenName: 'Carol', familyName: 'Diaz' },
      active: true,
    }),
  },
  {
    operation: 'listScimUsers',
    as: 'workspace',
    path: acme,
    query: `filter=${encodeURIComponent('userName eq "user-9003@acme.test"')}`,
  },
  { operation: 'readScimUser', as: 'workspace', path: userId },
  {
    operation: 'createScimGroup',
    as: 'workspace',
    path: acme,
    body: ({ createScimUser }) => ({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Postil Audit',
      members: [{ value: createScimUser.id }],
    }),
  },
  { operation: 'listScimGroups', as: 'workspace', path: acme },
  { operation: 'readScimGroup', as: 'workspace', path: groupId },
  {
    operation: 'replaceScimGroup',
    as: 'workspace',
    path: groupId,
    body: () => ({ displayName: 'Postil Audit', members: [] }),
  },
  {
    operation: 'patchScimGroup',
    as: 'workspace',
    path: groupId,
    body: ({ createScimUser }) => ({
      schemas: [patchSchema],
      Operations: [{ op: 'add', path: 'members', value: [{ value: createScimUser.id }] }],
    }),
  },
  {
    operation: 'replaceScimUser',
    as: 'workspace',
    path: userId,
    body: () => ({ userName: 'user-9003@acme.test', externalId: '00u1', active: true }),
  },
  {
    operation: 'patchScimUser',
    as: 'workspace',
    path: userId,
    body: () => ({ schemas: [patchSchema], Operations: [{ op: 'replace', value: { active: false } }] }),
  },
  { operation: 'deleteScimGroup', as: 'workspace', path: groupId },
  { operation: 'deleteScimUser', as: 'workspace', path: userId },
  { operation: 'readScimConfiguration', as: 'workspace', path: acme },
  { operation: 'listScimResourceTypes', as: 'workspace', path: acme },
  { operation: 'readScimResourceType', as: 'workspace', path: () => ({ workspace: 'acme', id: 'User' }) },
];
