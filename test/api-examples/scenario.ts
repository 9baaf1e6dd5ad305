import { hostToken } from '../hosts/forge/sample-forge.ts';
import { sampleKeys } from '../sample-platform.ts';
import {
  analyzerLog,
  delivery,
  deliveryHeaders,
  diff,
  platform,
  pullRequest,
  scan,
  toolCall,
  webhookSecret,
} from './sample-requests.ts';
import { scimSteps } from './scim-steps.ts';
import type { Answers, Step } from './step.ts';

const webhookId = (answers: Answers) => ({ id: answers.createWebhook.id });
const roleId = (answers: Answers) => ({ role_id: answers.createRole.id });
const teamId = (answers: Answers) => ({ team_id: answers.createTeam.id });
const learningId = (answers: Answers) => ({ learning_id: answers.createLearnings.results[0].id });
const connectionId = (answers: Answers) => ({ id: answers.addConnection.id });
const sourceId = (answers: Answers) => ({ id: answers.addSource.id });
const reviewId = (answers: Answers) => ({ id: answers.createReview.id });
const findingId = (answers: Answers) => ({
  id: answers.createReview.id,
  finding_id: answers.readReview.findings[0].finding_id,
});
const nothing = () => ({});
const window = 'start_date=2026-06-01&end_date=2026-06-15';

/** Requests for all operations except those in `without-example.ts`, ordered so that the objects that each needs exist. */
export function scenario(hostUrl: string): Step[] {
  return [
    { operation: 'applyPlatform', body: () => platform },
    { operation: 'exportPlatform' },
    { operation: 'verifyAuditLog' },
    { operation: 'exportAuditLog', query: 'provider=github&org_id=2001&instance=ghe' },
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
    { operation: 'readSeatAssignmentMode', as: 'selfHosted' },
    { operation: 'changeSeatAssignmentMode', as: 'selfHosted', body: () => ({ mode: 'manual' }) },
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
      operation: 'giveRole',
      as: 'organization',
      path: roleId,
      body: () => ({ user_ids: ['9003'] }),
    },
    { operation: 'createTeam', as: 'organization', body: () => ({ name: 'Payments' }) },
    {
      operation: 'changeTeamMembers',
      as: 'organization',
      path: teamId,
      body: () => ({ add: ['9001', '9002'] }),
    },
    { operation: 'listTeams', as: 'organization' },
    { operation: 'readTeam', as: 'organization', path: teamId },
    { operation: 'listTeamMembers', as: 'organization', path: teamId },
    { operation: 'renameTeam', as: 'organization', path: teamId, body: () => ({ name: 'Billing' }) },
    { operation: 'deleteTeam', as: 'organization', path: teamId },
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
    { operation: 'callMcp', as: 'user', body: () => toolCall },
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
    { operation: 'readReviewSettings', as: 'organization' },
    {
      operation: 'changeReviewSettings',
      as: 'organization',
      body: ({ readReviewSettings }) => ({ ...readReviewSettings, budget_usd_per_month: 50 }),
    },
    {
      operation: 'changeMcpServers',
      as: 'organization',
      body: () => [
        {
          name: 'issues',
          url: 'https://198.51.99.1/mcp',
          headers: { authorization: 'Bearer of-the-example' },
          tools: ['read_issue'],
        },
      ],
    },
    { operation: 'listMcpServers', as: 'organization' },
    ...scimSteps,
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
        webhook_secret: webhookSecret,
      }),
    },
    { operation: 'listConnections' },
    { operation: 'readConnection', path: connectionId },
    {
      operation: 'receiveDelivery',
      path: ({ addConnection }) => ({ connection_id: addConnection.id }),
      body: () => delivery,
      headers: deliveryHeaders,
    },
    { operation: 'changeConnection', path: connectionId, body: () => ({ status: 'paused' }) },
    { operation: 'checkConnection', path: connectionId, body: nothing },
    { operation: 'syncConnection', path: connectionId, body: nothing },
    { operation: 'backfillConnection', path: connectionId, body: () => ({ since: '2026-01-01' }) },
    { operation: 'listDeliveries', path: connectionId },
    {
      operation: 'replayDelivery',
      path: ({ addConnection, listDeliveries }) => ({
        id: addConnection.id,
        delivery: listDeliveries.data[0].id,
      }),
      body: nothing,
    },
    { operation: 'rotateSecrets' },
    {
      operation: 'importAdvisories',
      body: () => ({
        advisories: [
          {
            id: 'GHSA-jf85-cpcp-j695',
            summary: 'Prototype Pollution in lodash',
            severity: 'critical',
            affected: [
              {
                ecosystem: 'npm',
                name: 'lodash',
                versions: [],
                ranges: [{ events: [{ introduced: '0' }, { fixed: '4.17.12' }] }],
              },
            ],
          },
        ],
        withdrawn: [],
      }),
    },
    { operation: 'removeConnection', path: connectionId },
    {
      operation: 'inviteToDashboard',
      body: () => ({ email: 'user-9001@acme.test', installation_admin: true }),
    },
    { operation: 'listInstallationAdmins' },
    {
      operation: 'revokeInstallationAdmin',
      path: () => ({ email: 'user-9001@acme.test' }),
      query: 'allow_none=true',
    },
    { operation: 'removeSource', path: sourceId },
    { operation: 'revokeKey', path: ({ createKey }) => ({ id: createKey.id }) },
    { operation: 'createReview', as: 'user', body: () => ({ repository_id: '501', diff }) },
    { operation: 'listReviewRules', as: 'user', query: 'limit=2' },
    { operation: 'replayReviewRules', as: 'user', query: 'min_outcomes=10' },
    { operation: 'setReviewRule', as: 'user', body: () => ({ rule: 'ruff/F401', state: 'off' }) },
    {
      operation: 'setNamedReviewRule',
      as: 'user',
      path: () => ({ rule: 'oxlint%2Fno-debugger' }),
      body: () => ({ state: 'pinned' }),
    },
    { operation: 'cancelReview', as: 'user', path: reviewId },
    { operation: 'createReview', as: 'user', body: () => ({ repository_id: '501', diff }) },
    {
      operation: 'readReview',
      as: 'user',
      path: reviewId,
      until: ({ finished_at }) => finished_at !== null,
    },
    {
      operation: 'sendReviewResults',
      as: 'user',
      body: () => ({ repository_id: '501', head_revision: 'c'.repeat(40), sarif: analyzerLog }),
    },
    {
      operation: 'sendCoverage',
      as: 'user',
      body: () => ({
        repository_id: '501',
        head_revision: 'c'.repeat(40),
        format: 'lcov',
        report: 'SF:src/cart.ts\nDA:1,1\nDA:2,0\nend_of_record\n',
      }),
    },
    { operation: 'listReviewRuns', as: 'user' },
    { operation: 'judgeFinding', as: 'user', path: findingId, body: () => ({ accepted: false }) },
    { operation: 'listFindingSignals', as: 'user', path: findingId },
    { operation: 'checkHealth' },
    { operation: 'checkReadiness' },
  ];
}
