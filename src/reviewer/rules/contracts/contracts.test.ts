import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Versions } from '../../../../test/change-of-versions.ts';
import { sidesOf } from '../../../../test/compared-change.ts';
import { defaultConfiguration } from '../../configuration/review-configuration.ts';
import { contractExamples } from './contract-table.ts';
import { contracts } from './contracts.ts';

const { signal } = new AbortController();
const compared = (versions: Versions, around?: Record<string, string>) =>
  contracts.compare(sidesOf(versions, around), defaultConfiguration.reviews, signal);

/** The findings about a change, as `path:line side What is wrong`. */
async function broken(versions: Versions, around?: Record<string, string>): Promise<string[]> {
  const { findings } = await compared(versions, around);
  return findings.map(
    ({ path, startLine, side, body }) => `${path}:${startLine} ${side} ${body.split('. ')[0]}`,
  );
}

test('every kind finds a breaking change in its failing example, and none in its passing one', async () => {
  for (const [kind, { path, before, fails, passes }] of Object.entries(contractExamples)) {
    const failed = await compared({ [path]: [before, fails] });
    assert.deepEqual(
      failed.findings.map(({ rule, severity }) => [rule, severity]),
      [[`contracts/${kind}`, 'major']],
    );
    assert.equal(failed.report.contracts![0]!.breaking, 1);
    const passed = await compared({ [path]: [before, passes] });
    assert.deepEqual(passed.findings, []);
    assert.deepEqual(passed.report.contracts, [{ path, kind, breaking: 0, compatible: 1 }]);
  }
});

const proto = (...lines: string[]) => ['syntax = "proto3";', 'package a.v1;', ...lines, ''].join('\n');
const message = (...fields: string[]) => proto('message M {', ...fields.map((field) => `  ${field}`), '}');

test('protobuf: changes on the wire, or of names in JSON, are breaking', async () => {
  const said = async (before: string, after: string) =>
    (await broken({ 'a.proto': [before, after] })).map((each) => each.slice('a.proto:'.length));
  const old = message(
    'int32 a = 1;',
    'repeated string b = 2 [deprecated = true];',
    'map<string, a.v1.M> c = 3;',
  );
  assert.deepEqual(
    await said(old, message('int64 a = 1;', 'repeated string b = 2;', 'map<string, M> c = 3;')),
    [],
  );
  assert.deepEqual(await said(old, message('string a = 1;', 'string b = 2;', 'map<string, N> c = 3;')), [
    '4 new `a.v1.M.a` is now `string`, not `int32`',
    '5 new `a.v1.M.b` is no longer repeated',
    '6 new `a.v1.M.c` is now `map<string,N>`, not `map<string,a.v1.M>`',
  ]);
  assert.deepEqual(await said(old, message('int32 z = 1;', 'repeated string b = 9;', 'reserved 3;')), [
    '4 new `a.v1.M.a` is now called `z`',
    '5 new `a.v1.M.b` has a different number: 9, not 2',
    '6 old `a.v1.M.c` was removed, and its number and name are not reserved',
  ]);
  assert.deepEqual(await said(old, message('int32 a = 1;', 'reserved 2 to 5;', 'reserved "b", "c";')), []);
  const service = (call: string) => proto('service S {', `  ${call}`, '}', 'enum E { X = 0; Y = 1; }');
  assert.deepEqual(
    await said(
      service('rpc Get(M) returns (M) { option (http) = { get: "/x;" }; }'),
      service('rpc Get(M) returns (stream M);'),
    ),
    ['4 new `a.v1.S.Get` is now `M → stream M`, not `M → M`'],
  );
  for (const version of ['v1alpha1', 'v2beta', 'v1development']) {
    const early = (text: string) => text.replace('a.v1', `a.${version}`);
    assert.deepEqual(await said(early(old), early(message())), [], version);
  }
});

test('protobuf: using a reserved number or name is breaking', async () => {
  const old = message('int32 a = 1;', 'reserved 2, 4 to 6;', 'reserved "b";');
  const news = message('int32 a = 1;', 'int32 c = 5;', 'int32 b = 9;', 'int32 d = 7;');
  assert.deepEqual(await broken({ 'a.proto': [old, news] }), [
    'a.proto:5 new `a.v1.M.c` has the number 5, which was reserved',
    'a.proto:6 new `a.v1.M.b` has a name that was reserved',
  ]);
});

test('protobuf: a renamed package is reported once, and other changes in it are reported as usual', async () => {
  const file = (name: string, ...lines: string[]) => [`package ${name};`, ...lines, ''].join('\n');
  const two = 'message B {\n  message C { int32 d = 1; }\n}';
  assert.deepEqual(
    await broken({
      'a.proto': [
        file('p.v1', 'message A { int32 a = 1; }', two),
        file('q.v1', 'message A { string a = 1; }', two),
      ],
      'b.proto': [file('p.v1', 'enum E { X = 0; }'), file('q.v1', 'enum E { X = 0; }')],
    }),
    [
      'a.proto:1 new The package `p.v1` is now called `q.v1`',
      'a.proto:2 new `q.v1.A.a` is now `string`, not `int32`',
    ],
  );
  assert.deepEqual(
    await broken({ 'a.proto': [file('p.v1alpha1', two), file('p.v1', two)] }),
    [],
    'an unstable version',
  );
  assert.deepEqual(
    await broken({ 'a.proto': [file('p.v1', two), file('p.v1')] }),
    ['a.proto:2 old `p.v1.B` was removed'],
    'nested definitions are not reported separately',
  );
});

test('a definition that moves to another file of the change is not gone', async () => {
  const [m, n] = [message('int32 a = 1;'), proto('message N {}')];
  assert.deepEqual(
    await broken({ 'a.proto': [m + n.replace(/^.*\n.*\n/, ''), m], 'b.proto': [null, n] }),
    [],
  );
  assert.deepEqual(await broken({ 'a.proto': [m, null] }), ['a.proto:3 old `a.v1.M` was removed']);
  assert.deepEqual(
    await broken({
      'a.graphql': ['type A { b: Int }', 'type C { d: Int }'],
      'b.graphql': [null, 'type A { b: Int }'],
    }),
    [],
  );
});

test('a deleted file is reported in one sentence, a pure rename is not reported, and vendored copies are ignored', async () => {
  const both = `${message('int32 a = 1;')}message N {}\nmessage O {}\n`;
  assert.deepEqual(await broken({ 'a.proto': [both, null] }), [
    'a.proto:3 old `a.v1.M` was removed, and 2 more changes because the whole file was deleted',
  ]);
  assert.deepEqual(await broken({ 'a.proto': [both.replace('message O {}\n', ''), null] }), [
    'a.proto:3 old `a.v1.M` was removed, and one more change because the whole file was deleted',
  ]);
  for (const copy of ['vendor/x/a.proto', 'third_party/a.proto', 'web/node_modules/x/a.proto'])
    assert.deepEqual(await broken({ [copy]: [both, null] }), [], copy);
  const { change, ...sides } = sidesOf({ 'b.proto': [both, both.replace('N', 'P')] });
  // A pure rename, as Git reports it: without hunks, and so without texts.
  const moved = {
    ...change.files[0]!,
    path: 'c.proto',
    oldPath: 'a.proto',
    kind: 'renamed' as const,
    hunks: [],
    newText: async () => undefined,
    oldText: async () => undefined,
  };
  const result = await contracts.compare(
    { ...sides, change: { ...change, files: [moved] } },
    defaultConfiguration.reviews,
    signal,
  );
  assert.deepEqual([result.findings, result.notes], [[], []]);
});

test('GraphQL: results may become stricter, and inputs less strict', async () => {
  const said = async (before: string, after: string) =>
    (await broken({ 'a.graphql': [before, after] })).map((each) => each.slice('a.graphql:'.length));
  const old = 'type A {\n  b(c: Int): [String]\n  d: Int!\n}\ninput I {\n  e: Int!\n}\nenum E { X Y }\n';
  assert.deepEqual(
    await said(
      old,
      'type A {\n  b(c: Int): [String!]!\n  d: Int!\n}\ninput I {\n  e: Int\n}\nenum E { X Y Z }\n',
    ),
    [],
  );
  assert.deepEqual(
    await said(
      old,
      'type A {\n  b(c: Int!): [String]\n  d: Int\n}\ninput I {\n  e: Int!\n  f: Int!\n}\nenum E { X }\n',
    ),
    [
      '2 new The argument `c` of `A.b` is now `Int!`, not `Int`',
      '3 new `A.d` is now `Int`, not `Int!`',
      '7 new `I.f` is new and required',
      '8 old `E.Y` was removed',
    ],
  );
  assert.deepEqual(await said('query Q { a }', 'query Q { b }'), []);
  const { notes } = await compared({ 'a.graphql': [old, old.replace('X Y', 'X Y Z')] });
  assert.deepEqual(notes, [
    'Clients of a.graphql may receive values that they do not know yet: `E.Z` is new',
  ]);
});

const api = (paths: unknown, schemas: unknown = {}) =>
  `${JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths, components: { schemas } }, null, 1)}\n`;
const operation = (request: unknown, response: unknown, parameters: unknown[] = []) => ({
  post: {
    parameters,
    requestBody: { content: { 'application/json': { schema: request } } },
    responses: { 200: { description: '', content: { 'application/json': { schema: response } } } },
  },
});

test('OpenAPI: narrower requests, and wider or smaller responses, are breaking', async () => {
  const said = async (before: string, after: string) =>
    (await broken({ 'api.json': [before, after] })).map((each) => each.replace(/^\S+ /, ''));
  const object = (properties: unknown, required: string[] = []) => ({ type: 'object', properties, required });
  const text = { type: 'string' };
  const both = (before: unknown, after: unknown) =>
    Promise.all([
      said(api({ '/a': operation(before, text) }), api({ '/a': operation(after, text) })),
      said(api({ '/a': operation(text, before) }), api({ '/a': operation(text, after) })),
    ]);
  const body = 'the request body of `POST /a`';
  const answer = 'the response 200 of `POST /a`';
  assert.deepEqual(await both(object({ a: text }), object({ a: text }, ['a'])), [
    [`new \`a\` of ${body} is now required`],
    [],
  ]);
  assert.deepEqual(await both(object({ a: text }, ['a']), object({ a: text })), [
    [],
    [`new \`a\` of ${answer} can now be missing`],
  ]);
  assert.deepEqual(await both(object({ a: text }), object({ a: text, b: text }, ['b'])), [
    [`new \`b\` of ${body} is new and required`],
    [],
  ]);
  assert.deepEqual(await both(object({ a: text, b: text }), object({ a: text })), [
    [`old \`b\` of ${body} was removed`],
    [`old \`b\` of ${answer} was removed`],
  ]);
  assert.deepEqual(await both(text, { ...text, nullable: true }), [
    [],
    [`new T${answer.slice(1)} is now null or string, not string`],
  ]);
  assert.deepEqual(await both({ type: 'number' }, { type: 'integer' }), [
    [`new T${body.slice(1)} is now integer, not number`],
    [],
  ]);
  assert.deepEqual(await both({ ...text, enum: ['a', 'b'] }, { ...text, enum: ['a'] }), [
    [`new T${body.slice(1)} can no longer be \`b\``],
    [],
  ]);
  const objects = { type: 'object', enum: [{}, { a: 1 }] };
  assert.deepEqual(await both(objects, structuredClone(objects)), [[], []]);
  assert.deepEqual(await both(objects, { ...objects, enum: [{}] }), [
    [`new T${body.slice(1)} can no longer be \`{"a":1}\``],
    [],
  ]);
  assert.deepEqual(await both({ ...text, maxLength: 9 }, { ...text, maxLength: 8 }), [
    [`new T${body.slice(1)} has a stricter \`maxLength\`: 8, not 9`],
    [],
  ]);
  const { notes } = await compared({
    'api.json': [
      api({ '/a': operation(text, { ...text, enum: ['a'] }) }),
      api({ '/a': operation(text, { ...text, enum: ['a', 'b'] }) }),
    ],
  });
  assert.match(
    notes.join(),
    /api\.json may receive values that they do not know yet: the response 200 of `POST \/a` can also be `b`/,
  );
});

test('OpenAPI: all changes of a field are reported, even on one line', async () => {
  const text = (limits: string) =>
    `openapi: 3.0.0\npaths:\n  /a:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema: { type: string, ${limits} }\n      responses: { 200: { description: a } }\n`;
  const versions: Versions = {
    'api.yaml': [text('enum: [a, b, c], maxLength: 10'), text('enum: [a, b], maxLength: 5')],
  };
  assert.deepEqual(await broken(versions), [
    'api.yaml:8 new The request body of `POST /a` can no longer be `c`',
    'api.yaml:8 new The request body of `POST /a` has a stricter `maxLength`: 5, not 10',
  ]);
});

test('OpenAPI: removed alternatives of requests, and new ones of responses, are breaking if they can be told apart', async () => {
  const said = async (before: unknown, after: unknown) => {
    const schemas = { components: { schemas: { B: { type: 'object' }, C: { type: 'object' } } } };
    const whole = (request: unknown, answer: unknown) =>
      JSON.stringify({ ...JSON.parse(api({ '/a': operation(request, answer) })), ...schemas });
    const text = { type: 'string' };
    const all = [
      ...(await broken({ 'api.json': [whole(before, text), whole(after, text)] })),
      ...(await broken({ 'api.json': [whole(text, before), whole(text, after)] })),
    ];
    return all.map((each) => each.replace(/^\S+ new /, ''));
  };
  const some = (...types: string[]) => ({
    oneOf: types.map((type) => (/^[A-Z]/.test(type) ? { $ref: `#/components/schemas/${type}` } : { type })),
  });
  const [body, answer] = ['The request body of `POST /a`', 'The response 200 of `POST /a`'];
  assert.deepEqual(await said(some('string', 'integer'), some('string')), [
    `${body} can no longer be \`integer\``,
  ]);
  assert.deepEqual(await said(some('string', 'integer'), { type: 'string' }), [
    `${body} can no longer be \`integer\``,
  ]);
  assert.deepEqual(await said(some('B', 'string'), some('B', 'C', 'string')), [
    `${answer} can also be \`C\``,
  ]);
  assert.deepEqual(await said(some('string', 'null'), { type: ['string', 'null'] }), []);
  assert.deepEqual(await said(some('number', 'integer'), some('number')), []);
  const long = { oneOf: [{ type: 'string', maxLength: 3 }, { type: 'integer' }] };
  assert.deepEqual(await said(long, some('string')), []);
});

test('OpenAPI: an operation that was listed without responses may get details', async () => {
  const named = api({ '/a': { post: { tags: ['a'], responses: {} } } });
  const text = { type: 'string' };
  assert.deepEqual(await broken({ 'api.json': [named, api({ '/a': operation(text, text) })] }), []);
  assert.deepEqual(
    (await broken({ 'api.json': [named, api({ '/b': operation(text, text) })] })).map((each) =>
      each.replace(/^\S+ /, ''),
    ),
    ['old `POST /a` was removed'],
  );
});

test('OpenAPI: removed operations and parameters, and newly required parameters, are breaking', async () => {
  const parameter = (name: string, required = false) => ({
    in: 'query',
    name,
    required,
    schema: { type: 'string' },
  });
  const text = { type: 'string' };
  const of = (paths: unknown) => api(paths);
  const before = of({
    '/a/{id}': operation(text, text, [parameter('x'), parameter('y')]),
    '/b': operation(text, text),
  });
  const after = of({ '/a/{key}': operation(text, text, [parameter('x', true), parameter('z')]) });
  assert.deepEqual(
    (await broken({ 'api.json': [before, after] })).map((each) => each.replace(/^\S+ /, '')),
    [
      'new The parameter `x` of `POST /a/{key}` is now required',
      'old The parameter `y` of `POST /a/{key}` was removed',
      'old `POST /b` was removed',
    ],
  );
});

test('OpenAPI: references are followed through the repository, even in cycles, and a shared part is reported once at its own line', async () => {
  const root =
    'openapi: 3.1.0\npaths:\n  /a:\n    get: &op\n      responses: { 200: { content: { application/json: { schema: { $ref: "parts/node.yaml#/Node" } } } } }\n  /b: { get: *op }\n';
  const node = (extra: string) =>
    `Node:\n  type: object\n  properties:\n    next: { $ref: "#/Node" }\n    id: { type: integer }\n${extra}`;
  const change = { 'api/parts/node.yaml': [node('    note: { type: string }\n'), node('')] } as const;
  assert.deepEqual(await broken(change, { 'api/openapi.yaml': root }), [
    'api/parts/node.yaml:6 old `note` of `Node` was removed',
  ]);
  assert.deepEqual((await compared(change, { 'api/openapi.yaml': root })).report.contracts, [
    { path: 'api/openapi.yaml', kind: 'openapi', breaking: 1, compatible: 0 },
  ]);
  assert.deepEqual(await broken(change), []);
});

test('OpenAPI: parts behind unresolved references, and internal or unstable ones, are not reported as gone', async () => {
  const text = { type: 'string' };
  const whole = operation(text, text, [{ in: 'query', name: 'x', schema: text }]);
  const before = api({ '/a': whole, '/b': whole, '/c': whole, '/d': whole, '/e': whole });
  const hidden = { $ref: 'not/here.yaml' };
  const after = api({
    '/a': hidden,
    '/b': { post: hidden },
    '/c': { post: { ...whole.post, parameters: [hidden] } },
    '/d': { post: { ...whole.post, responses: { 200: hidden } } },
    '/e': { post: { ...whole.post, 'x-internal': true } },
  });
  const { findings, notes } = await compared({ 'api.json': [before, after] });
  assert.deepEqual(findings, []);
  assert.match(notes.join(), /not\/here\.yaml cannot be resolved/);
  const unstable = api({ '/a': { post: { ...whole.post, 'x-unstable': true } } });
  assert.deepEqual(await broken({ 'api.json': [unstable, api({})] }), []);
});

test('version 2 is supported, and other YAML and JSON files are ignored', async () => {
  const old =
    'swagger: "2.0"\npaths:\n  /a:\n    get:\n      responses:\n        200: { schema: { $ref: "#/definitions/A" } }\ndefinitions:\n  A:\n    properties:\n      b: { type: string }\n      c: { type: string }\n';
  assert.deepEqual(await broken({ 'a.yml': [old, old.replace('      c: { type: string }\n', '')] }), [
    'a.yml:11 old `c` of `A` was removed',
  ]);
  assert.deepEqual(
    (await compared({ 'a.yml': ['a: 1\n', 'a: 2\n'], 'package.json': ['{}', '{"a":1}'] })).report.contracts,
    [],
  );
});

test('a path that moves to the base path is not gone', async () => {
  const of = (base: string, route: string) =>
    `swagger: "2.0"\nbasePath: ${base}\npaths:\n  ${route}:\n    get: { responses: {} }\n`;
  assert.deepEqual(await broken({ 'a.yml': [of('/', '/api/a'), of('/api', '/a')] }), []);
  assert.deepEqual(await broken({ 'a.yml': [of('/', '/api/a'), of('/v2', '/a')] }), [
    'a.yml:5 old `GET /api/a` was removed',
  ]);
});

test('a quoted string that continues no deeper than its key is accepted, and lines stay correct', async () => {
  const of = (routes: string) =>
    `swagger: "2.0"\ninfo:\n  title: 'It''s an API\n  of "ours".'\n  version: "1\n  \\" 2"\npaths:\n${routes}`;
  const route = (name: string) => `  ${name}:\n    get: { responses: {} }\n`;
  assert.deepEqual(await broken({ 'a.yml': [of(route('/a') + route('/b')), of(route('/b'))] }), [
    'a.yml:9 old `GET /a` was removed',
  ]);
  const open = await compared({ 'a.yml': [of(route('/a')), `${of(route('/a'))}  /c: 'never closed\n`] });
  assert.match(open.notes.join(), /Missing closing 'quote in line 11/);
});

test('YAML merge keys are applied', async () => {
  const of = (schema: string) =>
    `openapi: 3.0.0\npaths:\n  /a:\n    get:\n      responses:\n        200:\n          content:\n            a/b:\n              schema:\n                properties: ${schema}\nx-shared: &shared\n  id: { type: string }\n  state: { type: string }\n`;
  const [before, after] = [
    of('{ <<: [*shared], state: { type: integer } }'),
    of('{ id: { type: string }, state: { type: integer } }'),
  ].map((text) => text.replace(/(paths:[\s\S]*)(x-shared[\s\S]*)/, '$2$1'));
  assert.deepEqual(await broken({ 'a.yml': [before!, after!] }), []);
  const less = after!.replace('id: { type: string }, state', 'state');
  assert.deepEqual(await broken({ 'a.yml': [before!, less] }), [
    'a.yml:3 old `id` of the response 200 of `GET /a` was removed',
  ]);
});

test('a generated copy of a description counts once, wherever it is', async () => {
  const { before, fails } = contractExamples.graphql;
  const { findings, report } = await compared({
    'dist/schema.graphql': [before, fails],
    'schema.graphql': [before, fails],
  });
  assert.deepEqual([findings.length, report.contracts!.map(({ path }) => path)], [1, ['schema.graphql']]);
});

test('copies of messages count once, even if they add new ones', async () => {
  const [before, after] = [
    message('string a = 1;'),
    message('repeated N b = 1;') + proto('message N {}').replace(/^.*\n.*\n/, ''),
  ];
  assert.deepEqual(await broken({ 'client/a.proto': [before, after], 'server/a.proto': [before, after] }), [
    'client/a.proto:4 new `a.v1.M.a` is now called `b`',
  ]);
});

test('an API that is generated from messages counts once, with these', async () => {
  const [{ before, fails, path }, messages] = [contractExamples.openapi, contractExamples.protobuf];
  const made = (text: string) => `# Generated with protoc-gen-openapi\n${text}`;
  const versions: Versions = { [path]: [made(before), made(fails)] };
  assert.equal((await broken(versions)).length, 1);
  const { report } = await compared({ ...versions, [messages.path]: [messages.before, messages.fails] });
  assert.deepEqual(
    report.contracts!.map(({ kind }) => kind),
    ['protobuf'],
  );
});

test('an API that is generated from messages is recognized by its path or its content', async () => {
  const { before, fails, path } = contractExamples.protobuf;
  const of = (name: string, responses: string) =>
    `{"swagger":"2.0","paths":{"/a":{"get":{"responses":{${responses}}}}},"definitions":{"${name}":{}}}`;
  const kinds = async (file: string, name: string) =>
    (
      await compared({
        [path]: [before, fails],
        [file]: [of(name, '"200":{},"201":{}'), of(name, '"200":{}')],
      })
    ).report.contracts!.map(({ kind }) => kind);
  assert.deepEqual(await kinds('api/swagger.json', 'grpc.gateway.runtime.Error'), ['protobuf']);
  assert.deepEqual(await kinds('api/shop.swagger.json', 'Order'), ['protobuf']);
  assert.deepEqual(await kinds('api/swagger.json', 'Order'), ['openapi', 'protobuf']);
});

test('files that cannot be parsed are noted, and the others are compared', async () => {
  const loop = 'openapi: 3.0.0\npaths:\n  /a: { $ref: "#/paths/~1b" }\n  /b: { $ref: "#/paths/~1a" }\n';
  const deep = `{"openapi":"3.0.0","paths":${'['.repeat(50_000)}`;
  const { notes, findings } = await compared({
    'a.proto': ['message A {}', 'message A {'],
    'b.graphql': ['type A { b: Int }', 'type A {'],
    'c.yaml': [loop, `${loop}#\n`],
    'd.json': ['{"openapi":"3.0.0"}', deep],
    'e.yaml': ['openapi: 3.0.0\n', 'openapi: 3.0.0\n\t- x: [\n'],
    'f.proto': [message('int32 a = 1;'), message()],
  });
  assert.equal(findings.length, 1);
  assert.deepEqual(
    notes.map((note) => note.replace(/, because.*/s, '')),
    ['a.proto', 'b.graphql', 'c.yaml', 'd.json', 'e.yaml'].map(
      (path) => `Not compared with its previous version: ${path}`,
    ),
  );
});

test('alias bombs, deep nesting and long files terminate', async () => {
  const anchors = Array.from(
    { length: 60 },
    (_, index) => `a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`,
  ).join('\n');
  const bomb = `openapi: 3.0.0\na-1: &a-1 x\n${anchors}\npaths: *a59\n`;
  const nested = (levels: number) =>
    `openapi: 3.0.0\npaths: ${'{a: '.repeat(levels)}1${'}'.repeat(levels)}\n`;
  const texts = [bomb, nested(3_000), `openapi: 3.0.0\n${'a: b\n'.repeat(1_000)}`];
  for (const text of texts) await compared({ 'a.yaml': [text, `${text}#\n`] });
  await compared({ 'a.proto': [`message A ${'{ message A '.repeat(5_000)}`, ''] });
  await compared({ 'a.graphql': [`type A { b: ${'['.repeat(20_000)}`, `type A { b: ${'['.repeat(20_001)}`] });
});
