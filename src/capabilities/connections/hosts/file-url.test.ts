import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileUrl, lineUrl } from './file-url.ts';

const file = { repositoryUrl: 'https://h.test/o/r', revision: 'a1b2', path: 'src/a.ts' } as const;

test('a line has the address that its host gives it, or none where the host is not known', () => {
  const at = (provider: Parameters<typeof fileUrl>[0]['provider']) => lineUrl({ ...file, provider }, 40);
  assert.equal(at('github'), 'https://h.test/o/r/blob/a1b2/src/a.ts#L40');
  assert.equal(at('gitlab'), 'https://h.test/o/r/-/blob/a1b2/src/a.ts#L40');
  assert.equal(at('gitea'), 'https://h.test/o/r/src/commit/a1b2/src/a.ts#L40');
  assert.equal(at('bitbucket'), 'https://h.test/o/r/src/a1b2/src/a.ts#lines-40');
  assert.equal(at('azure_devops'), null);
});

test('no name of a file leads elsewhere, or ends a link', () => {
  const of = (path: string, more: object = {}) => fileUrl({ ...file, provider: 'github', path, ...more });
  for (const path of ['', '/etc/passwd', 'a//b', '../x', 'a/../../x', './a', 'a/.'])
    assert.equal(of(path), null, path);
  assert.equal(of('a', { repositoryUrl: 'javascript:alert(1)' }), null);
  const odd = of('a b/(x)[y]!*\'"`<>?#&@%2e\\\u202e\n\ud800.ts')!;
  assert.match(odd, /^https:\/\/h\.test\/o\/r\/blob\/a1b2\/a%20b\/[\w%.-]+\.ts$/);
  assert.equal(
    decodeURIComponent(new URL(odd).pathname.split('/').at(-1)!),
    '(x)[y]!*\'"`<>?#&@%2e\\\u202e\n\ufffd.ts',
  );
});
