import { createHmac } from 'node:crypto';
import { member, organization } from '../sample-platform.ts';

type Fields = Record<string, unknown>;

export const platform = {
  workspaces: [{ slug: 'acme', name: 'Acme Inc', admins: ['user-9001@acme.test'] }],
  instances: [{ slug: 'ghe', provider: 'github', url: 'https://ghe.acme.test' }],
  organizations: [
    organization({
      provider_organization_id: '1001',
      name: 'acme-web',
      workspace: 'acme',
      members: [member('9001', { role: 'cr_admin', seat: true }), member('9002'), member('9003')],
    }),
    organization({
      provider_organization_id: '2001',
      name: 'acme-inside',
      instance: 'ghe',
      repositories: [],
      members: [member('9001', { role: 'cr_admin' })],
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

export const pullRequest = event('pull-7-merged', 'postil.pull_request', {
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

export const scan = event('scan-1', 'postil.security_scan', {
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

export const diff = `diff --git a/src/load.ts b/src/load.ts
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

/** The message of an MCP client that calls a tool. */
export const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_security_findings', arguments: { limit: 1 } },
};

export const webhookSecret = 'a-secret-of-the-example';

/** The delivery of a Gitea for an opened pull request, with only the fields that Postil reads. */
export const delivery = { action: 'opened', number: 1, repository: { id: 1 }, pull_request: { number: 1 } };

export function deliveryHeaders(body: unknown): Record<string, string> {
  return {
    'x-gitea-event': 'pull_request',
    'x-gitea-delivery': '6b1f2c9e-2d8b-4a53-9c1a-0f6d2f1a7e55',
    'x-gitea-signature': createHmac('sha256', webhookSecret)
      .update(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
      .digest('hex'),
  };
}

export const analyzerLog = {
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'ESLint' } },
      results: [
        {
          ruleId: 'no-eval',
          level: 'error',
          message: { text: 'eval can be harmful.' },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: 'src/app.js' },
                region: { startLine: 12 },
              },
            },
          ],
        },
      ],
    },
  ],
};
