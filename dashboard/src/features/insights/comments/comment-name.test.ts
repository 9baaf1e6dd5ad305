import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentName } from './comment-name.ts';

const comment = {
  title: null,
  path: null,
  start_line: null,
  url: 'https://git.test/acme/pull/7#discussion_r1000',
};

test('a comment is called by its title, else its place, else the end of its URL', () => {
  assert.equal(commentName({ ...comment, title: 'Unused', path: 'a.ts' }), 'Unused');
  assert.equal(commentName({ ...comment, path: 'a.ts', start_line: 3 }), 'a.ts:3');
  assert.equal(commentName({ ...comment, path: 'a.ts' }), 'a.ts');
  assert.equal(commentName(comment), 'Comment discussion_r1000');
  assert.equal(commentName({ ...comment, url: 'https://git.test/acme/notes/12/' }), 'Comment 12');
});
