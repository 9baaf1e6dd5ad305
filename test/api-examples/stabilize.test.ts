import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { stabilize } from './stabilize.ts';

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

test('a random token becomes the same example, whatever characters it begins and ends with', () => {
  const stable = stabilize('http://host.test');
  const pairs = alphabet.flatMap((first) => alphabet.map((second) => first + second));
  for (const pair of pairs) {
    const middle = randomBytes(30).toString('base64url');
    for (const token of [`${pair}${middle}`, `${middle}${pair}`, `${pair}_${middle}`, `${pair}-${middle}`]) {
      assert.equal(stable(token), 'example', token);
      assert.equal(stable(`http://localhost/welcome#${token}`), 'http://localhost/welcome#example', token);
      assert.equal(stable(JSON.stringify({ next_cursor: token })), '{"next_cursor":"example"}', token);
    }
  }
});

test('a token without digits is recognized', () => {
  assert.equal(stabilize('http://host.test')('AbcdefghijklmnopqrstuvwxyzABCDEFG_-hijklmno'), 'example');
});

test('the value of a key keeps the prefix that says its purpose', () => {
  const stable = stabilize('http://host.test');
  const value = randomBytes(32).toString('hex');
  assert.equal(stable(`pst_o_${value}`), 'pst_example');
  assert.equal(stable(`pss_${value}`), 'pss_example');
});

test('long words of an answer stay as they are', () => {
  const stable = stabilize('http://host.test');
  for (const word of ['organization_default_review_settings', 'review-settings-of-organizations'])
    assert.equal(stable(word), word);
});
