import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLayout } from './layout.ts';
import { trackLayout } from './track-finding.ts';

const isLayout = (path: string, before: string[], after: string[]) =>
  withoutLayout(before, path) === withoutLayout(after, path);

test('what is layout depends on the language', () => {
  assert.ok(isLayout('a.ts', ['  x = "a"'], ["x = 'a';"]));
  assert.ok(isLayout('a.py', ['call(', '    a,', ')'], ['call(a)']));
  assert.ok(!isLayout('a.py', ['  x()'], ['    x()']), 'indentation in Python');
  assert.ok(!isLayout('a.yaml', ['a:', '  b: 1'], ['a:', 'b: 1']), 'indentation in YAML');
  assert.ok(!isLayout('Makefile', ['\tcc a.c'], ['    cc a.c']), 'tabs in a Makefile');
  assert.ok(!isLayout('a.md', ['one  ', 'two'], ['one', 'two']), 'a line break in Markdown');
  assert.ok(!isLayout('a.sh', ['echo "$x"'], ["echo '$x'"]), 'quotes in a shell');
  assert.ok(!isLayout('a.rs', ['value;'], ['value']), 'semicolons in Rust');
});

test('lines that only look different are neither changed nor untouched', () => {
  const range = { start: 3, end: 3 };
  const stateOf = (path: string, before: string, now: string) => {
    const tracking = { state: 'untouched', path, range, hunks: [] } as const;
    return trackLayout(tracking, { range, lines: [before] }, [now], []).state;
  };
  assert.equal(stateOf('a.ts', 'a( b );', 'a( b );'), 'untouched');
  assert.equal(stateOf('a.ts', 'a( b );', 'a(b);'), 'laid_out');
  assert.equal(stateOf('a.py', '  a(b)', '    a(b)'), 'touched');
});
