import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOwners } from './owners.ts';

describe('CODEOWNERS', () => {
  it('gives, as GitHub does, the owners of the last line that matches', () => {
    const of = readOwners(
      [
        '# comment',
        '* @all # everybody',
        '*.js @js @acme/web',
        '/build/logs/ @ops',
        'docs/* docs@acme.test',
        'apps/ @apps',
        '/scripts/**/run.sh @run',
        '/src/vendor',
        'with\\ space/ @space',
        '/lib/core @core',
      ].join('\n'),
      'github',
    );
    assert.deepEqual(of('README.md'), ['@all']);
    assert.deepEqual(of('a/b/c.js'), ['@js', '@acme/web']);
    assert.deepEqual(of('build/logs/x/y.txt'), ['@ops']);
    assert.deepEqual(of('x/build/logs/y.txt'), ['@all']);
    assert.deepEqual(of('docs/start.md'), ['docs@acme.test']);
    assert.deepEqual(of('docs/deep/start.md'), ['@all']);
    assert.deepEqual(of('x/apps/deep/y.go'), ['@apps']);
    assert.deepEqual(of('scripts/run.sh'), ['@run']);
    assert.deepEqual(of('scripts/a/b/run.sh'), ['@run']);
    assert.deepEqual(of('src/vendor/x.c'), []);
    assert.deepEqual(of('with space/x'), ['@space']);
    assert.deepEqual(of('lib/core/deep/x.js'), ['@core']);
    assert.deepEqual(of('lib/core.ts'), ['@all']);
  });

  it('gives, as GitLab does, the owners of each section', () => {
    const of = readOwners(
      [
        '* @all',
        'README.md @writers',
        '[Docs][2] @docs',
        'internal/README.md',
        '/docs/ @one @two',
        '!/docs/generated/',
        '^[Database] @dba',
        'model/db/',
        '[DOCS]',
        '*.rst @rst',
      ].join('\n'),
      'gitlab',
    );
    assert.deepEqual(of('x.go'), ['@all']);
    assert.deepEqual(of('deep/internal/README.md'), ['@writers', '@docs']);
    assert.deepEqual(of('docs/deep/x.md'), ['@all', '@one', '@two']);
    assert.deepEqual(of('docs/generated/x.md'), ['@all']);
    assert.deepEqual(of('app/model/db/x.sql'), ['@all', '@dba']);
    assert.deepEqual(of('x.rst'), ['@all', '@rst']);
  });

  it('gives, as Gitea does, the owners of every regular expression that matches', () => {
    const of = readOwners(
      ['.*\\.go @go', 'docs/.* @docs @acme/writers', '!docs/.* @code', '(a|b)/\\d+ @number'].join('\n'),
      'gitea',
    );
    assert.deepEqual(of('x/main.go'), ['@go', '@code']);
    assert.deepEqual(of('docs/a.go'), ['@go', '@docs', '@acme/writers']);
    assert.deepEqual(of('b/12'), ['@code', '@number']);
    assert.deepEqual(of('c/12'), ['@code']);
    // As the hosts put it between ^ and $, without the slash in front; the sign of an owner may be missing.
    const other = readOwners('/docs/.* ann acme/docs\nlib|x @bob\n* @all\n', 'gitea');
    assert.deepEqual(other('docs/a.md'), ['@ann', '@acme/docs']);
    assert.deepEqual(other('library.c'), ['@bob']);
    assert.deepEqual(other('a/x'), ['@bob']);
    assert.deepEqual(other('a.c'), []);
  });

  it('takes no longer for patterns that are made to', () => {
    for (const dialect of ['github', 'gitlab', 'gitea'] as const) {
      const of = readOwners(`${'*a'.repeat(40)}b @x\n(a+)+$b @y\n((( @z\n[ @q`, dialect);
      assert.deepEqual(of(`${'a'.repeat(3_000)}c`), []);
    }
  });
});
