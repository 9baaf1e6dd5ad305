import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REDACTION_MARKER, redactCredentials } from '../redact-credentials.ts';
import { generateSample, seededRandom } from '../samples/generate-sample.ts';
import { findCredentials } from './find-credentials.ts';

const random = seededRandom(31);

test('each credential is reported with its position and rule, and so is every other occurrence of it', () => {
  const token = generateSample('ghp_[A-Za-z0-9]{36}', random);
  const password = generateSample('[a-z]{6}42[A-Z]{2}', random);
  const text = `clone with ${token}\npassword = "${password}"\nnot ${password}!`;
  const found = findCredentials(text).map(({ start, end, ruleId }) => [text.slice(start, end), ruleId]);
  assert.deepEqual(found, [
    [token, 'github-token'],
    [password, 'secret-assignment'],
    [password, 'secret-assignment'],
  ]);
});

test('keys and manifests that are not found by a keyword have a rule id, too', () => {
  const body = generateSample('[A-Za-z0-9+/]{64}', random);
  const key = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
  assert.deepEqual(findCredentials(key), [{ start: 0, end: key.length, ruleId: 'private-key' }]);
  const manifest = `kind: Secret\ndata:\n  blob: ${body}\n`;
  assert.deepEqual(
    findCredentials(manifest).map(({ ruleId }) => ruleId),
    ['kubernetes-secret'],
  );
});

test('spans are ordered and disjoint, and redaction replaces exactly them', () => {
  const token = generateSample('sk_live_[A-Za-z0-9]{30}', random);
  const text = `${token}${token} Authorization: Bearer ${token}, api_key="${token}"`;
  const spans = findCredentials(text);
  for (const [index, { start, end }] of spans.entries()) {
    assert.ok(start < end && start > (spans[index - 1]?.end ?? -1));
  }
  const replaced = spans.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + REDACTION_MARKER + rest.slice(end),
    text,
  );
  assert.equal(redactCredentials(text), replaced);
});

test('nothing is reported in a text without credentials', () => {
  assert.deepEqual(findCredentials('Prefer early returns; never log a password or a token.'), []);
});
