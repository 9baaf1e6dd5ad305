import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../../test/properties.ts';
import { messageOf } from './commit-message.ts';

const fixed = (path: string) => ({
  path,
  startLine: 3,
  source: { kind: 'rule' as const, name: 'oxlint/use-isnan' },
});

test('no name of a file gives orders to a host, a build or a terminal through the message of a commit', () => {
  const orders = [
    '[skip ci]',
    '[ci skip]',
    '[no ci]',
    '***NO_CI***',
    'skip-checks: true',
    '@ada',
    '#7',
    '!7',
  ];
  const more = ['fixes GH-7', 'Closes: ACME-7', '\n\nSigned-off-by: ada', '\u001b[31m', '\u202e', '\0', '\r'];
  const parts = fc.oneof(fc.constantFrom(...orders, ...more), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(fc.array(parts), { minLength: 1, maxLength: 60 }), (names) => {
      const message = messageOf(names.map((name) => fixed(`src/${name.join('/')}.ts`)));
      const [title, blank, ...lines] = message.trimEnd().split('\n');
      assert.match(title!, /^fix: apply \d+ suggestions? of the review$/);
      assert.equal(blank, '');
      assert.equal(lines.length, Math.min(names.length, 51));
      for (const line of lines)
        assert.match(line, /^- (?:[\p{L}\p{M}\p{N}_./+=,~?-]+:3 oxlint\/use-isnan|and \d+ more)$/u);
    }),
  );
});

test('plain names stay as they are', () => {
  assert.equal(
    messageOf([fixed('src/größe/a_b-1.ts')]),
    'fix: apply 1 suggestion of the review\n\n- src/größe/a_b-1.ts:3 oxlint/use-isnan\n',
  );
});
