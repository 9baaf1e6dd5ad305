import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { makeRepository } from '../../../../test/git-repository.ts';
import { openRepository, placeOf } from '../repository.ts';
import { findOwners } from './find-owners.ts';
import { ownersFiles, readOwners, readOwnersFile } from './owners.ts';

test('the first CODEOWNERS of a commit is read; one that is too large is reported, and not read', async () => {
  const git = await makeRepository();
  const settings = { searchPath: process.env.PATH };
  const none = await git.commit({ 'a.ts': '' });
  const second = await git.commit({ 'docs/CODEOWNERS': '* @docs\n' });
  const both = await git.commit({ CODEOWNERS: '* @all\n' });
  const large = await git.commit({ CODEOWNERS: `${'# long\n'.repeat(200_000)}* @all\n` });
  const repository = await openRepository(git.folder, settings);
  const found = (revision: string) => findOwners(placeOf(repository), revision, ownersFiles.github);
  assert.deepEqual(await Promise.all([none, second, both, large].map(found)), [
    undefined,
    '* @docs\n',
    '* @all\n',
    { isTooLarge: true },
  ]);
  await repository.close();
});

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

  it('skips, as GitHub does, every line that has a fault, so that earlier lines apply', () => {
    const of = readOwners(
      [
        '* @all',
        '/app/[slug]/ @range',
        '/app/\\[id\\]/ @bracket',
        '!/docs/ @not',
        '\\#notes @hash',
        '***/*.rb @stars',
        '*.txt docs@',
        '*.py @py and @more',
        '/lib/ # nobody',
      ].join('\n'),
      'github',
    );
    for (const path of ['app/[slug]/page.ts', 'app/s/page.ts', 'docs/a', '#notes', 'a/b.rb', 'a.txt', 'a.py'])
      assert.deepEqual(of(path), ['@all'], path);
    assert.deepEqual(of('app/[id]/page.ts'), ['@bracket']);
    assert.deepEqual(of('lib/a'), []);
  });

  it('parses, as GitLab does, exclusions, optional sections, ranges, comments and defaults', () => {
    const of = readOwners(
      [
        '* @default',
        '!*.rb',
        '/special/*.rb @ruby',
        '[Docs] @writers',
        '/docs/** @top',
        '/guide/ no-owner @one # ask @two, @@developers',
        '/manual/',
        '/empty/ nobody',
        'ee/docs @plain',
        '*.[ch] @c',
        '/lib/[!a-c]* @late',
        '/x**y/z @stars',
      ].join('\n'),
      'gitlab',
    );
    const rest = (path: string) => of(path).filter((owner) => owner !== '@default');
    assert.deepEqual(of('special/a.rb'), [], 'what is excluded does not come back');
    assert.deepEqual(rest('docs/a.md'), ['@top']);
    assert.deepEqual(rest('docs/deep/a.md'), [], 'two stars at the end are one');
    assert.deepEqual(rest('guide/deep/a.md'), ['@one', '@two', '@@developers']);
    assert.deepEqual(rest('manual/a.md'), ['@writers']);
    assert.deepEqual(rest('empty/a.md'), []);
    assert.deepEqual([rest('x/ee/docs'), rest('ee/docs/a')], [['@plain'], []]);
    assert.deepEqual([rest('src/a.h'), rest('src/a.m')], [['@c'], []]);
    assert.deepEqual([rest('lib/dd'), rest('lib/bb')], [['@late'], []]);
    assert.deepEqual([rest('xay/z'), rest('xa/by/z')], [['@stars'], []]);
    const { groupsOf } = readOwnersFile(
      '^[Go]\n*.go @go\n[GO][3]\n*.mod @mod\n^[Web][0]\n*.ts @web\n[Any][x]\n*.ts @any\n',
      'gitlab',
    );
    assert.deepEqual(groupsOf('a.go'), [{ owners: ['@go'], approvals: 1, isOptional: false }]);
    assert.deepEqual(groupsOf('a.mod'), [{ owners: ['@mod'], approvals: 3, isOptional: false }]);
    assert.deepEqual(groupsOf('a.ts'), [
      { owners: ['@web'], approvals: 1, isOptional: true },
      { owners: ['@any'], approvals: 1, isOptional: false },
    ]);
  });

  it('gives, as Gitea does, the owners of every regular expression that matches', () => {
    const of = readOwners(
      [
        '.*\\\\.go @go',
        'docs/.* @docs @acme/writers # and',
        '!docs/.* @code',
        '(a|b)/\\\\d+ @number',
        '(?!src/).*\\.rs#x @no',
        '(?!src/).*.rs @rust#y',
      ].join('\n'),
      'gitea',
    );
    assert.deepEqual(of('x/main.go'), ['@go', '@code']);
    assert.deepEqual(of('docs/a.go'), ['@go', '@docs', '@acme/writers']);
    assert.deepEqual(of('b/12'), ['@code', '@number']);
    assert.deepEqual(of('c/12'), ['@code']);
    assert.deepEqual(of('xgo'), ['@code'], 'two backslashes stand for one');
    assert.deepEqual(of('lib/a.rs'), ['@code', '@rust']);
    assert.deepEqual(of('src/a.rs'), ['@code']);
    // As at these hosts, patterns are put between ^ and $ without the leading slash, and the `@` of owners may be missing.
    const other = readOwners('/docs/.* ann acme/docs\nlib|x @bob\n* @all\n', 'gitea');
    assert.deepEqual(other('docs/a.md'), ['@ann', '@acme/docs']);
    assert.deepEqual(other('library.c'), ['@bob']);
    assert.deepEqual(other('a/x'), ['@bob']);
    assert.deepEqual(other('a.c'), []);
  });

  it('counts lines that need regular expressions of Gitea', () => {
    const text = '(?i)src/.* @ann\n[[:alpha:]]+ @bob\n\\\\pL+ @cy\n# (?i)x @dan\nsrc/(?:a|b) @eve\n';
    assert.equal(readOwnersFile(text, 'gitea').unreadLines, 3);
    assert.equal(readOwnersFile(text, 'github').unreadLines, 0);
    assert.deepEqual(readOwners(text, 'gitea')('a:]'), [], 'what they would mean here does not count');
  });

  it('limits the total size of its patterns, and counts the lines that it leaves out', () => {
    const line = {
      github: `${'a'.repeat(9_999)}*`,
      gitlab: `${'a'.repeat(9_999)}*`,
      gitea: '(?:.{99}){99}a',
    };
    for (const dialect of ['github', 'gitlab', 'gitea'] as const) {
      const lines = Array.from({ length: 300 }, () => `${line[dialect]} @many`);
      const { groupsOf, unreadLines } = readOwnersFile(['first/.* @ann', ...lines].join('\n'), dialect);
      assert.ok(unreadLines > 100 && unreadLines < 250, `${dialect}: ${unreadLines}`);
      assert.equal(groupsOf('first/.x').length, 1);
    }
  });

  it('takes no longer for malicious patterns', () => {
    for (const dialect of ['github', 'gitlab', 'gitea'] as const) {
      const of = readOwners(`${'*a'.repeat(40)}b @x\n(a+)+$b @y\n((( @z\n[ @q`, dialect);
      assert.deepEqual(of(`${'a'.repeat(3_000)}c`), []);
    }
  });
});
