import { hostToken } from '../hosts/forge/sample-forge.ts';
import { member, organization, sampleKeys } from '../sample-platform.ts';

type Fields = Record<string, unknown>;

/** What earlier steps answered, by operation. */
// biome-ignore lint/suspicious/noExplicitAny: a step reads what it expects, and fails where it is not there
export type Answers = Record<string, any>;

export interface Step {
  readonly operation: string;
  /** Who calls; the operator unless the path says otherwise. */
  readonly as?: 'organization' | 'user' | 'workspace' | 'source';
  readonly path?: (answers: Answers) => Record<string, string>;
  readonly query?: string;
  readonly body?: (answers: Answers) => unknown;
}

export const platform = {
  workspaces: [{ slug: 'acme', name: 'Acme Inc', admins: ['user-9001@acme.test'] }],
  organizations: [
    organization({
      provider_organization_id: '1001',
      name: 'acme-web',
      workspace: 'acme',
      members: [member('9001', { role: 'cr_admin', seat: true }), member('9002'), member('9003')],
    }),
  ],
};

const event = (id: string, type: string, data: Fields) => ({
  specversion: '1.0',
  id,
  source: 'ci/acme',
  type,
  time: '2026-06-10T09:00:00Z',
  data: { provider: 'github', org_id: '1001', ...data },
});

const pullRequest = event('pull-7-merged', 'postil.pull_request', {
  repository_id: '501',
  number: 7,
  url: 'https://github.com/acme-web/api/pull/7',
  state: 'merged',
  author_id: '9002',
  author_username: 'user-9002',
  created_at: '2026-06-08T08:00:00Z',
  merged_at: '2026-06-10T09:00:00Z',
  findings: [
    {
      finding_id: 'f-1',
      url: 'https://github.com/acme-web/api/pull/7#discussion_r1',
      severity: 'major',
      category: 'functional_correctness',
    },
  ],
});

const scan = event('scan-1', 'postil.security_scan', {
  repository_id: '501',
  scan_id: 'nightly-1',
  revision: '4f2a9c1',
  coverage_scope: 'repository',
  findings: [
    {
      rule_id: 'sql-injection',
      title: 'SQL built from a request parameter',
      severity: 'high',
      description: 'The id of the request becomes part of the statement.',
      file_path: 'src/orders.ts',
      start_line: 42,
      end_line: 42,
    },
  ],
});

const diff = `diff --git a/src/load.ts b/src/load.ts
new file mode 100644
--- /dev/null
+++ b/src/load.ts
@@ -0,0 +1,7 @@
+export function load(value: string): string {
+  try {
+    return value.trim();
+  } finally {
+    return '';
+  }
+}
`;

const webhookId = (answers: Answers) => ({ id: answers.createWebhook.id });
const roleId = (answers: Answers) => ({ role_id: answers.createRole.id });
const learningId = (answers: Answers) => ({ learning_id: answers.createLearnings.results[0].id });
const userId = (answers: Answers) => ({ id: answers.createScimUser.id, workspace: 'acme' });
const groupId = (answers: Answers) => ({ id: answers.createScimGroup.id, workspace: 'acme' });
const acme = () => ({ workspace: 'acme' });
const connectionId = (answers: Answers) => ({ id: answers.addConnection.id });
const sourceId = (answers: Answers) => ({ id: answers.addSource.id });
const reviewId = (answers: Answers) => ({ id: answers.createReview.id });
const nothing = () => ({});
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const window = 'start_date=2026-06-01&end_date=2026-06-15';

/** Requests for nearly all operations, in an order in which each finds what it needs. */
export function scenario(hostUrl: string): Step[] {
  return [
    { operation: 'applyPlatform', body: () => platform },
    { operation: 'exportPlatform' },
    { operation: 'createKey', body: () => ({ name: 'reporting', ...sampleKeys.organization }) },
    { operation: 'listKeys' },
    {
      operation: 'addSource',
      body: () => ({
        name: 'ci-acme',
        organizations: [{ provider: 'github', org_id: '1001' }],
        types: ['postil.security_scan'],
      }),
    },
    { operation: 'listSources' },
    { operation: 'readSource', path: sourceId },
    { operation: 'receiveEvents', body: () => pullRequest },
    { operation: 'receiveSourceEvents', as: 'source', body: () => scan },
    { operation: 'describeCaller', as: 'organization' },
    { operation: 'listOrganizations', as: 'organization' },
    {
      operation: 'listRepositories',
      as: 'organization',
      path: ({ listOrganizations }) => ({ organization_id: listOrganizations.organizations[0].id }),
    },
    { operation: 'listReviews', as: 'organization', query: window },
    { operation: 'listReviewComments', as: 'organization', query: window },
    { operation: 'listMcpUsage', as: 'organization', query: window },
    { operation: 'listSecurityFindings', as: 'organization' },
    { operation: 'listUsers', as: 'organization' },
    {
      operation: 'assignSeats',
      as: 'organization',
      body: () => ({ action: 'assign', user_ids: ['9002', '9999'] }),
    },
    {
      operation: 'changeRoles',
      as: 'organization',
      body: () => ({ role: 'cr_admin', user_ids: ['9002'] }),
    },
    {
      operation: 'createRole',
      as: 'organization',
      body: () => ({
        name: 'Auditors',
        description: 'See everything, change nothing',
        permissions: [{ resource_id: 'audit_log', access_type: 'read' }],
      }),
    },
    { operation: 'listRoles', as: 'organization' },
    { operation: 'listPermissions', as: 'organization' },
    { operation: 'readRole', as: 'organization', path: roleId },
    {
      operation: 'updateRole',
      as: 'organization',
      path: roleId,
      body: () => ({ name: 'Audit' }),
    },
    {
      operation: 'createLearnings',
      as: 'organization',
      body: () => ({
        data: [{ repository_id: '501', learning: 'Money is counted in cents, never as a fraction.' }],
      }),
    },
    { operation: 'listLearnings', as: 'organization' },
    {
      operation: 'updateLearning',
      as: 'organization',
      path: learningId,
      body: () => ({ learning: 'Money is counted in whole cents.' }),
    },
    {
      operation: 'searchLearnings',
      as: 'organization',
      body: () => ({ repository_id: '501', query: 'how is money counted' }),
    },
    { operation: 'deleteLearning', as: 'organization', path: learningId },
    {
      operation: 'createWebhook',
      as: 'organization',
      body: () => ({ url: 'https://198.51.99.1/postil', types: ['postil.member.changed'] }),
    },
    { operation: 'listWebhooks', as: 'organization' },
    { operation: 'changeWebhook', as: 'organization', path: webhookId, body: () => ({ active: false }) },
    { operation: 'testWebhook', as: 'organization', path: webhookId, body: nothing },
    { operation: 'listWebhookDeliveries', as: 'organization', path: webhookId },
    {
      operation: 'replayWebhookDelivery',
      as: 'organization',
      path: ({ createWebhook, testWebhook }) => ({ id: createWebhook.id, delivery: testWebhook.id }),
      body: nothing,
    },
    { operation: 'rotateWebhookSecret', as: 'organization', path: webhookId, body: nothing },
    { operation: 'removeWebhook', as: 'organization', path: webhookId },
    {
      operation: 'createReview',
      as: 'user',
      body: () => ({ repository_id: '501', diff }),
    },
    { operation: 'readReview', as: 'user', path: reviewId },
    { operation: 'listReviewRuns', as: 'user' },
    { operation: 'cancelReview', as: 'user', path: reviewId },
    { operation: 'readReviewSettings', as: 'organization' },
    {
      operation: 'changeReviewSettings',
      as: 'organization',
      body: ({ readReviewSettings }) => ({ ...readReviewSettings, budget_usd_per_month: 50 }),
    },
    { operation: 'listMcpServers', as: 'organization' },
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
    { operation: 'listAuditEntries', as: 'organization', query: 'page_size=2' },
    { operation: 'deleteRole', as: 'organization', path: roleId },
    {
      operation: 'addConnection',
      body: () => ({
        provider: 'gitea',
        url: hostUrl,
        instance: 'acme-git',
        credentials: { token: hostToken },
        organizations: ['acme'],
        webhook_secret: 'a-secret-of-the-example',
      }),
    },
    { operation: 'listConnections' },
    { operation: 'readConnection', path: connectionId },
    { operation: 'changeConnection', path: connectionId, body: () => ({ status: 'paused' }) },
    { operation: 'checkConnection', path: connectionId, body: nothing },
    { operation: 'syncConnection', path: connectionId, body: nothing },
    { operation: 'backfillConnection', path: connectionId, body: () => ({ since: '2026-01-01' }) },
    { operation: 'listDeliveries', path: connectionId },
    { operation: 'removeConnection', path: connectionId },
    { operation: 'inviteToDashboard', body: () => ({ email: 'user-9001@acme.test' }) },
    { operation: 'listInstallationAdmins' },
    { operation: 'removeSource', path: sourceId },
    { operation: 'revokeKey', path: ({ createKey }) => ({ id: createKey.id }) },
    { operation: 'checkHealth' },
    { operation: 'checkReadiness' },
  ];
}
