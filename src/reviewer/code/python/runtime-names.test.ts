import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeNames } from './runtime-names.ts';

test('names in string literals that a module executes are known; if it executes other texts, any name may exist', () => {
  const util = [
    'if sys.version_info > (3,):',
    '    exec("""',
    'def raise_exc_info(exc_info):',
    '    raise exc_info[1]',
    '',
    'def exec_in(code, glob, loc=None):',
    '    exec(code, glob, loc)',
    '""")',
    'else:',
    "    exec('kind = 2')",
  ].join('\n');
  assert.deepEqual(runtimeNames(util), {
    names: [
      { name: 'raise_exc_info', line: 2 },
      { name: 'exec_in', line: 2 },
      { name: 'kind', line: 10 },
    ],
    isOpen: false,
  });
  assert.equal(runtimeNames('exec(open("names.py").read())\n').isOpen, true);
  assert.equal(runtimeNames('exec(code, globals())\n').isOpen, true);
  assert.equal(runtimeNames('exec code\n').isOpen, true);
  assert.equal(runtimeNames('def run(code):\n    exec(code, {})\n').isOpen, false);
  assert.equal(runtimeNames('globals()[name] = value\n').isOpen, true);
  assert.equal(runtimeNames('_globals = globals()\nbuild(DESCRIPTOR, _globals)\n').isOpen, true);
  assert.equal(runtimeNames('build(DESCRIPTOR, "a", globals())\n').isOpen, true);
  assert.equal(runtimeNames('execute(code)\n').isOpen, false);
});
