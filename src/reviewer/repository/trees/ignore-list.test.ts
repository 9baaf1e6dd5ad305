import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { makeRepository } from '../../../../test/git-repository.ts';
import fc from '../../../../test/properties.ts';
import { ignoreList } from './ignore-list.ts';

const name = fc.constantFrom('a', 'b', 'ab', 'a.js', '.x');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const piece = fc.constantFrom('a', 'b', '*', 'a*', '*.js', '**', '?', '[ab]', '.x');
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.constantFrom('', '/'),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/'),
  )
  .map(([not, start, pieces, end]) => `${not}${start}${pieces.join('/')}${end}`);

test('a list leaves out exactly what Git would ignore', async () => {
  const { folder, write } = await makeRepository({});
  await fc.assert(
    fc.asyncProperty(
      fc.array(pattern, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
      async (patterns, paths) => {
        await write({ '.gitignore': `${patterns.join('\n')}\n` });
        const isIgnored = ignoreList(patterns);
        // Git does not look at the file system for these paths.
        const { stdout: asked } = spawnSync(
          'git',
          ['check-ignore', '--no-index', '--verbose', '--non-matching', '--stdin'],
          { cwd: folder, input: paths.join('\n'), encoding: 'utf8' },
        );
        const expected = asked
          .trimEnd()
          .split('\n')
          .map((line) => {
            const [matched = '', at = ''] = line.split('\t');
            const by = matched.split(':').slice(2).join(':');
            return [at, by !== '' && !by.startsWith('!')];
          });
        assert.deepEqual(
          paths.map((each) => [each, isIgnored(each)]),
          expected,
          patterns.join(' '),
        );
      },
    ),
    { numRuns: 200 },
  );
});
