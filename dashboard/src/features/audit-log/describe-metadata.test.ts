import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMetadata } from './describe-metadata.ts';

const metadata = { changed: ['username', 'custom_role_id'], role: 'cr_member', seat: true };

test('what was created does not say that it was changed', () => {
  assert.deepEqual(describeMetadata({ action: 'member.created', metadata }, {}), [
    { name: 'Role', value: 'Member' },
    { name: 'Seat', value: 'yes' },
  ]);
});

test('what was changed says so in words instead of names of columns', () => {
  assert.deepEqual(describeMetadata({ action: 'member.updated', metadata }, {})[0], {
    name: 'Changed',
    value: 'username, custom role',
  });
});
