import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { test } from 'node:test';
import * as page from '../../dashboard/src/lib/own-path.ts';
import fc from '../../test/properties.ts';
import * as server from './own-path.ts';

const origins = ['http://127.0.0.1:8787', 'https://postil.acme.test', 'http://[::1]:8080'];
const nasty = [
  '/',
  '//',
  '\\',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u0001',
  '\u007f',
  ' ',
  '.',
  '..',
  '@',
  ':',
  ';',
  '?',
  '#',
  '%',
  '&',
  '=',
  '%2f',
  '%2F',
  '%5c',
  '%09',
  '%0a',
  '%00',
  '%E6%BC%A2',
  '%E6',
  '%zz',
  '漢',
  '\u2028',
  '\ud800',
  'evil.test',
  'http:',
  'https://evil.test',
  'javascript:',
  'data:',
  'learnings',
  'state=pending',
  'a',
  '1',
];
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.array(fc.constantFrom(...nasty), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...nasty), { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
  fc.webPath(),
  fc.tuple(fc.webPath(), fc.webQueryParameters()).map(([path, query]) => `/${path}?${query}`),
);

test('every accepted return path keeps the browser on this origin and is a valid header value', () => {
  let accepted = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const isOwn = server.isOwnPath(text);
      assert.equal(page.isOwnPath(text), isOwn, 'the page and the server must agree');
      if (!isOwn) return;
      accepted += 1;
      for (const origin of origins) {
        const url = new URL(text, `${origin}/sign-in?return_to=x`);
        assert.equal(url.href, origin + text);
        assert.equal(url.origin, origin);
      }
      assert.match(text, /^\/[!-~]*$/);
      assert.doesNotMatch(text, /\\|\/\//);
      validateHeaderValue('location', text);
      // A router may decode the path and navigate to the result.
      const path = decodeURIComponent(text.split(/[?#]/, 1)[0]!);
      for (const origin of origins) assert.equal(new URL(path, origin).origin, origin);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(accepted > 500, `${accepted} accepted: too few for the property to mean anything`);
});

test('dashboard pages are accepted, with their filters; other sites and malformed paths are not', () => {
  const id = '0199aaaa-0000-7000-8000-000000000001';
  for (const text of [
    '/',
    `/organizations/${id}/learnings?state=pending`,
    `/workspaces/${id}/overview?start_date=2026-06-01&end_date=2026-06-30&search=a+b%2F%2Fc%5C%0A%E6%BC%A2`,
    '/%E6%BC%A2',
    '/a#b',
  ])
    assert.ok(server.isOwnPath(text), text);
  for (const text of [
    '',
    'learnings',
    '//evil.test',
    '///evil.test',
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r/evil.test',
    '\t//evil.test',
    '/\\evil.test',
    '/a\\b',
    '/a b',
    '/漢',
    '/\u0001',
    '/\u007f',
    '/%',
    '/%zz',
    '/%E6',
    '/%2Fevil.test',
    '/%5Cevil.test',
    '/%5c%5cevil.test',
    '/a/%09/b',
    '/.//evil.test',
    '/..//evil.test',
    '/a/../b',
    '/a//b',
    '/?next=//evil.test',
    '/?a=\\',
    'https://evil.test',
    'javascript:alert(1)',
    '@evil.test',
    ':80@evil.test',
  ])
    assert.ok(!server.isOwnPath(text), JSON.stringify(text));
});
