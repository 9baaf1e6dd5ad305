import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPercent, humanize, providerName, readableError } from './format.ts';

test('errors from the server are shown without the field names of the API', () => {
  for (const [message, shown] of [
    ['end_date: must not precede start_date', 'End date: must not precede start date'],
    ['data[2].repository_id: no such repository', 'Repository ID: no such repository'],
    ['org_ids[1]: must be text; name: is required', 'Org IDs: must be text; Name: is required'],
    ['The Admin role is required', 'The Admin role is required'],
    ['Try cr_member instead', 'Try cr_member instead'],
  ] as const)
    assert.equal(readableError(message), shown);
});

test('names from the API are shown in readable form', () => {
  assert.equal(humanize('functional_correctness'), 'Functional correctness');
  assert.equal(humanize('api_access'), 'API access');
  const providers = ['github', 'gitlab', 'bitbucket', 'azure_devops', 'gitea'];
  assert.deepEqual(providers.map(providerName), ['GitHub', 'GitLab', 'Bitbucket', 'Azure DevOps', 'Gitea']);
});

test('percentages are precise except close to the ends', () => {
  assert.deepEqual([0.5, 0.123, 0.999, 0].map(formatPercent), ['50.0%', '12.3%', '100%', '0%']);
});
