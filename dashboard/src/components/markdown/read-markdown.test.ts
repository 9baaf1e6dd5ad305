import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { type MarkdownNode, readMarkdown, safeAddress, textOfHtml } from './read-markdown.ts';

const typesIn = (nodes: readonly MarkdownNode[]): string[] =>
  nodes.flatMap(({ token, children }) => [token.type, ...typesIn(children)]);

test('only whole addresses of the web are links', () => {
  for (const href of ['https://a.test/b?c#d', 'HTTP://a.test']) assert.equal(safeAddress(href), href);
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,a',
    'vbscript:a',
    'file:///etc/passwd',
    'mailto:a@b.test',
    '//a.test/b',
    '/connections',
    'docs/a.md',
    'blob:https://a.test/b',
    '',
  ])
    assert.equal(safeAddress(href), null, href);
});

test('names of files and hosts are no links, addresses are', () => {
  assert.ok(!typesIn(readMarkdown('See README.md, a@b.test and example.com.')!).includes('link_open'));
  assert.ok(typesIn(readMarkdown('See https://example.com/a.')!).includes('link_open'));
});

test('of HTML only its words are left', () => {
  assert.equal(textOfHtml('<!-- postil:1 --><details open><summary>More</summary>'), 'More');
  assert.equal(textOfHtml('<!-- never ends <b>'), '');
  assert.equal(textOfHtml('<img src=x onerror=alert(1)>'), '');
});

test('any text is read, however deep or long', () => {
  const pieces = fc.constantFrom(
    '>',
    '- ',
    '**',
    '_',
    '[a](',
    '![',
    '<b ',
    '`',
    '|',
    '\n',
    '~~',
    '1. ',
    '<!--',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.array(pieces, { maxLength: 60 }).map((all) => all.join('')),
    fc.tuple(pieces, fc.integer({ min: 1, max: 3_000 })).map(([piece, times]) => piece.repeat(times)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      for (const type of typesIn(readMarkdown(text)!)) assert.match(type, /^[a-z_]+$/);
    }),
    { numRuns: 150 },
  );
  assert.equal(readMarkdown('a'.repeat(100_001)), null);
});
