import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfName, endOfValue, readAssignment } from './read-assignment.ts';

/** Parses the assignment to the name that contains `token` or `password`. */
function read(text: string) {
  const keyword = /token|password/i.exec(text);
  if (keyword === null) throw new Error('the text holds no keyword');
  return readAssignment(text, keyword.index, endOfName(text, keyword.index));
}

const WRITTEN: readonly [text: string, name: string, value: string][] = [
  ['apiToken = "v1"', 'apiToken', 'v1'],
  ['API_TOKEN=v1', 'API_TOKEN', 'v1'],
  ['{"token": "v1"}', 'token', 'v1'],
  ['{\\"token\\": \\"v1\\"}', 'token', 'v1'],
  ["env['token'] = 'v1'", 'token', 'v1'],
  ['token: v1', 'token', 'v1'],
  ['token := `v1`', 'token', 'v1'],
  ['"token" => "v1"', 'token', 'v1'],
  ['const token: string = "v1"', 'token', 'v1'],
  ['var token string = "v1"', 'token', 'v1'],
  ['token ??= "v1"', 'token', 'v1'],
  ['token == "v1"', 'token', 'v1'],
  ['<token>v1</token>', 'token', 'v1'],
  ['<token>\n  v1\n</token>', 'token', 'v1'],
  ['<add key="token" value="v1"/>', 'token', 'v1'],
  ['"name": "token", "value": "v1"', 'token', 'v1'],
  ['token: |\n  v1', 'token', 'v1'],
  ['token:\n  "v1"', 'token', 'v1'],
  ['token = "a\\"b1"', 'token', 'a\\"b1'],
  ['token = @"v1"', 'token', 'v1'],
  ['token = """v1"""', 'token', 'v1'],
  ['the token is v1.', 'token', 'v1'],
  ['get("token", "v1")', 'token', 'v1'],
  ['--token v1', '--token', 'v1'],
  ['?token=v1&x=2', 'token', 'v1'],
  ['token=YWJj==', 'token', 'YWJj=='],
];

for (const [text, name, value] of WRITTEN) {
  test(`the value is read from ${JSON.stringify(text)}`, () => {
    const assignment = read(text);
    assert.equal(assignment?.name, name);
    assert.equal(assignment?.value, value);
    assert.equal(text.slice(assignment?.valueStart, assignment && endOfValue(text, assignment)), value);
  });
}

test('no value is read where none is assigned', () => {
  for (const text of [
    'token',
    'token.',
    'GITHUB_TOKEN=\nOTHER=1',
    '/api/token:x',
    '<token>, x',
    '"Password:", "x"',
    'a=b,token=c=d',
  ]) {
    assert.equal(read(text), undefined, text);
  }
});

test('a call is distinguished from a literal', () => {
  assert.equal(read('token = readToken(1)')?.isCall, true);
  assert.equal(read('token = settings["x"]')?.isCall, true);
  assert.equal(read('token = abc1')?.isCall, false);
});

test('only the start of a long unquoted value is evaluated, but its whole length is reported', () => {
  const text = `token=${'a1'.repeat(500)} rest`;
  const assignment = read(text);
  assert.ok(assignment && assignment.value.length <= 200);
  assert.equal(endOfValue(text, assignment), text.indexOf(' '));
});
