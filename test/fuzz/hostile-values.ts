/**
 * Values that no client sends on purpose, by kind of fault. A long run tries each list as a whole, a short run one value in turn.
 */

const odd = [
  '\u202E\uFEFF',
  'İıßﬃ',
  'e\u0301'.repeat(300),
  '👨‍👩‍👧‍👦',
  '\uFFFF\uFDD0',
  '\u0085\u2028',
  "' OR 1=1 --",
  '%_\\%',
  '$1 {{b}} <script>',
  '\r\nX-Header: y',
  '../../../etc/passwd',
  '*a'.repeat(40),
  '('.repeat(3_000),
  '"'.repeat(999),
  `${'a'.repeat(5_000)}!`,
  `${'a.'.repeat(2_000)}@`,
  'a eq "b" and ('.repeat(200),
];
const numbers = ['-1', '0', '1.5', '1e400', '-0', '2147483648', '9223372036854775808', '9'.repeat(40), 'NaN'];
const formats = [
  '2026-02-30',
  '0000-01-01',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-14T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '2026-06-10T09:00:00+99:99',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
  'eyJhIjoxfQ',
  'ALL',
  'http://',
  'http://[::1',
  'http://a b/',
  'http://127.0.0.1:1/',
  'http://u:p@127.0.0.1:1/',
  'http://127.0.0.1:99999/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'a@b',
];
const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

/** Texts for paths and queries, already encoded; the first kinds of fault are tried everywhere, even in a short run. */
export const hostileInUrl: readonly (readonly string[])[] = [
  ['%00', 'a%00b'],
  ['%', '%zz', '%E0%A4%A', '%C0%80', '%FF', '%ED%A0%80', 'a%ED%B0%80'],
  ['a'.repeat(5_000), '%F0%9F%98%80'.repeat(400)],
  ['', '%20', '+'],
  numbers,
  ['null', 'true', '[]', '{}', 'undefined'],
  odd.map(encodeURIComponent),
  formats.map(encodeURIComponent),
  names,
  [',', 'a,'.repeat(1_500), 'a%2Cb', `${'00000000-0000-4000-8000-000000000000,'.repeat(200)}`],
];

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A number that is serialized exactly as written, even if JavaScript cannot represent it. */
const raw = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** Marks a field that is left out. */
export const absent = Symbol('absent');

/** Values for the fields of a body; the first kinds of fault are tried everywhere, even in a short run. */
export const hostileInBody: readonly (readonly unknown[])[] = [
  ['a\0b', '\0', { 'a\0': 1 }, '\uD800', 'a\uDFFF', { '\uD800': 1 }],
  [null, true, 1, 'x', [null], [[]], { a: 1 }, [{}]],
  ['a'.repeat(70_000), '😀'.repeat(20_000)],
  ['', ' ', '\n', [], {}],
  numbers.slice(0, 7).map(raw),
  odd,
  formats,
  [
    JSON.parse('{"__proto__":{"a":1}}'),
    { constructor: { prototype: { a: 1 } } },
    ...names,
    [JSON.parse('{"__proto__":[]}')],
  ],
  [Array(1_001).fill('a'), Array(600).fill(null), Array(25_000).fill(0), ['a', 'a']],
  [nested(63), nested(70), nested(2_000)],
  [absent],
];

/** Values for the whole body. */
export const hostileBodies: readonly (string | Buffer)[] = [
  '',
  'null',
  '[]',
  '{}',
  '"a"',
  '1e400',
  '{',
  '{"a":}',
  '{"__proto__":{"a":1},"constructor":1}',
  '{"a":1,"a":2}',
  '\uFEFF{}',
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from('{}', 'utf16le'),
  '['.repeat(100_000),
  `[${'{},'.repeat(30_000)}{}]`,
  '{}\n{}\n',
  '\0',
];

/** Headers that are added to a valid request, or replace its own. */
export const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': '' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;;;=' },
  { 'content-type': 'application/x-ndjson' },
  { 'content-type': 'multipart/form-data; boundary=' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, gzip, identity' },
  { accept: '*/*;q=nan, ,;' },
  { accept: 'text/event-stream' },
  { 'accept-encoding': 'identity;q=nan, x' },
  { 'if-none-match': '"' },
  { range: 'bytes=5-1' },
  { origin: 'null' },
  { cookie: '=;;postil_session=%00; a' },
  { 'x-forwarded-for': 'ÿ, ::1%lo, 999.1.1.1' },
  { 'x-request-id': 'a'.repeat(2_000) },
  { 'ce-specversion': '1.0', 'ce-id': '%00', 'ce-source': '%ED%A0%80', 'ce-type': 'a', 'ce-time': '%' },
  { 'mcp-session-id': 'ÿ', 'mcp-protocol-version': '1e400' },
  { 'x-gitea-delivery': '', 'x-gitea-event': 'ÿ'.repeat(300), 'x-gitea-signature': 'zz' },
];
