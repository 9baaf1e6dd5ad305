import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alikeKey } from '../fingerprint.ts';
import { at, logOf, resultWith } from '../fixtures/logs.ts';
import type { ScanFinding } from '../scan-finding.ts';
import { readSarif } from './read-sarif.ts';

function read(result: object, run: object = {}): ScanFinding {
  const [finding] = readSarif(logOf([result], run));
  assert.ok(finding, 'the result is a finding');
  return finding;
}

function driver(...rules: object[]) {
  return { tool: { driver: { name: 'Scanner', rules } } };
}

test('a minimal result is read as a finding', () => {
  assert.deepEqual(read(resultWith()), {
    ruleId: 'R1',
    title: 'Something is wrong',
    description: null,
    severity: 'medium',
    cwe: [],
    filePath: 'src/app.ts',
    startLine: 3,
    endLine: 3,
    startColumn: null,
    endColumn: null,
    fingerprint: null,
    partialFingerprint: 'Something is wrong',
    snippet: null,
    suppressed: null,
    reachability: null,
    origin: { fingerprints: {}, partialFingerprints: {}, level: 'warning', score: null },
  });
});

test('all runs count, with or without results', () => {
  const tool = { driver: { name: 'Scanner' } };
  const runs = [
    { tool, results: [resultWith()] },
    { tool },
    { tool, results: null },
    { tool, results: [resultWith()] },
  ];
  assert.equal(readSarif({ version: '2.1.0', runs }).length, 2);
  assert.deepEqual(readSarif({ version: '2.1.0', runs: [], $schema: 'anything' }), []);
});

test('passed, open and absent results are not findings', () => {
  const results = [
    ...['pass', 'notApplicable', 'review', 'open', 'informational'].map((kind) => resultWith({ kind })),
    resultWith({ baselineState: 'absent' }),
  ];
  assert.deepEqual(readSarif(logOf(results)), []);
  const kept = [resultWith({ kind: 'fail' }), resultWith({ baselineState: 'updated' })];
  assert.equal(readSarif(logOf(kept)).length, 2);
});

test('properties written as null count as absent', () => {
  const empty = {
    ruleId: null,
    level: null,
    kind: null,
    suppressions: null,
    codeFlows: null,
    properties: null,
  };
  const location = {
    physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: null, contextRegion: null },
  };
  assert.equal(read(resultWith({ ...empty, locations: [location] })).filePath, 'a.ts');
});

test('the rule is found by index, id, child id or reference into an extension', () => {
  const rule = (id: string) => ({ id, shortDescription: { text: `About ${id}` } });
  const tool = {
    driver: { name: 'Scanner', rules: [rule('A'), rule('B')] },
    extensions: [
      { name: 'pack', guid: '11111111-1111-4111-8111-111111111111', rules: [rule('X'), rule('B')] },
      { name: 'more', rules: [rule('Y')] },
    ],
  };
  const cases: [object, string, string][] = [
    [{ ruleId: 'B', ruleIndex: 1 }, 'B', 'About B'],
    [{ ruleId: undefined, ruleIndex: 0 }, 'A', 'About A'],
    [{ ruleId: 'A/1/x' }, 'A/1/x', 'About A'],
    [{ ruleId: 'A/1', ruleIndex: 0 }, 'A/1', 'About A'],
    [{ ruleId: 'B', ruleIndex: 0 }, 'B', 'About B'],
    [{ ruleId: 'B', ruleIndex: 99 }, 'B', 'About B'],
    [{ ruleId: undefined, rule: { id: 'A' } }, 'A', 'About A'],
    [{ ruleId: undefined, rule: { index: 0, toolComponent: { index: 0 } } }, 'X', 'About X'],
    [{ ruleId: 'X', rule: { id: 'X', index: 0, toolComponent: { name: 'pack' } } }, 'X', 'About X'],
    [
      {
        ruleId: undefined,
        rule: { index: 0, toolComponent: { guid: '11111111-1111-4111-8111-111111111111' } },
      },
      'X',
      'About X',
    ],
    [{ ruleId: 'Y' }, 'Y', 'About Y'],
    [{ ruleId: 'unlisted' }, 'unlisted', 'Something is wrong'],
    [{ ruleId: undefined }, 'Scanner', 'Something is wrong'],
  ];
  for (const [changes, ruleId, title] of cases) {
    const finding = read(resultWith(changes), { tool });
    assert.deepEqual([finding.ruleId, finding.title], [ruleId, title], JSON.stringify(changes));
  }
});

test('the title is the rule’s, the description the message', () => {
  const title = (rule: object) => read(resultWith(), driver({ id: 'R1', ...rule })).title;
  assert.equal(title({ shortDescription: { text: ' Short ' }, fullDescription: { text: 'Full' } }), 'Short');
  assert.equal(title({ fullDescription: { text: '\nFirst line\r\nand more' }, name: 'Name' }), 'First line');
  assert.equal(title({ name: 'Name' }), 'Name');
  assert.equal(title({ name: 'R1' }), 'Something is wrong');
  assert.equal(read(resultWith(), driver({ id: 'R1', name: 'Name' })).description, 'Something is wrong');
  assert.equal(read(resultWith({ message: { text: 'One\r\ntwo' } })).title, 'One');
  assert.equal(read(resultWith({ message: {} })).title, 'R1');
});

test('messages are looked up in the rule or the tool, with their arguments filled in', () => {
  const tool = {
    driver: {
      name: 'Scanner',
      globalMessageStrings: { shared: { text: 'Shared {0}' } },
      rules: [{ id: 'R1', name: 'N', messageStrings: { own: { text: "Use '{1}' not '{0}' {{0}} {9}" } } }],
    },
  };
  const cases: [object, string | null][] = [
    [{ id: 'own', arguments: ['a', 'b'] }, "Use 'b' not 'a' {0} {9}"],
    [{ id: 'shared', arguments: ['text'] }, 'Shared text'],
    [{ id: 'constructor' }, null],
    [{ text: 'Braces {0} and {{}} stay' }, 'Braces {0} and {{}} stay'],
    [{ text: '{0}', arguments: ['$& {1}', 'no'] }, '$& {1}'],
    [{ markdown: '**bold**' }, '**bold**'],
    [{ text: 'plain', markdown: '**bold**' }, 'plain'],
  ];
  for (const [message, text] of cases) {
    assert.equal(read(resultWith({ message }), { tool }).description, text, JSON.stringify(message));
  }
});

test('links to locations of the result become plain text, other links stay', () => {
  const text = 'From [user input](1) to [a \\[b\\]](2), see [docs](https://docs.test) and [x](7)';
  const relatedLocations = [{ id: 1 }, { id: 2 }];
  const finding = read(resultWith({ message: { text }, relatedLocations }));
  assert.equal(finding.title, 'From user input to a [b], see [docs](https://docs.test) and [x](7)');
});

test('severity comes from the score, the result’s level, a configured level or the rule’s default', () => {
  const rule = { id: 'R1', defaultConfiguration: { level: 'note' } };
  const invocations = [
    {
      executionSuccessful: true,
      ruleConfigurationOverrides: [{ descriptor: { id: 'R1' }, configuration: { level: 'error' } }],
    },
  ];
  assert.equal(read(resultWith(), driver(rule)).severity, 'low');
  assert.equal(read(resultWith(), { ...driver(rule), invocations }).severity, 'high');
  assert.equal(read(resultWith({ level: 'none' }), { ...driver(rule), invocations }).severity, 'info');
  const scored = driver({ ...rule, properties: { 'security-severity': '9.8' } });
  assert.equal(read(resultWith({ level: 'note' }), scored).severity, 'critical');
});

test('CWEs are collected from taxa, relationships, tags and properties', () => {
  const taxonomies = [
    { name: 'OWASP', taxa: [{ id: '79' }] },
    { name: 'CWE', guid: '22222222-2222-4222-8222-222222222222', taxa: [{ id: '401' }, { id: 'CWE-402' }] },
  ];
  const rule = {
    id: 'R1',
    relationships: [
      { target: { id: '22', toolComponent: { name: 'CWE' } } },
      { target: { id: '1', toolComponent: { name: 'OWASP', index: 0 } } },
    ],
    properties: { tags: ['security', 'external/cwe/cwe-078', 'CWE-94: Code'], cwe: 'cwe-502' },
  };
  const taxa = [
    { index: 1, toolComponent: { index: 1 } },
    { id: '401', toolComponent: { guid: '22222222-2222-4222-8222-222222222222' } },
    { id: 'CWE-20' },
    { id: '99' },
  ];
  assert.deepEqual(
    read(resultWith({ taxa, properties: { cwe: ['CWE-20', 89] } }), { ...driver(rule), taxonomies }).cwe,
    ['CWE-20', 'CWE-22', 'CWE-78', 'CWE-89', 'CWE-94', 'CWE-401', 'CWE-402', 'CWE-502'],
  );
});

test('lines are corrected, whatever the region contains', () => {
  const text = 'one\r\ntwo\r\nthree\n';
  const artifacts = [{ location: { uri: 'a.ts' }, contents: { text } }];
  const cases: [object | undefined, number, number][] = [
    [{ startLine: 4, endLine: 6 }, 4, 6],
    [{ startLine: 4 }, 4, 4],
    [{ startLine: 4, endLine: 2 }, 4, 4],
    [{ startLine: 0, endLine: 0 }, 1, 1],
    [{ startLine: -1, endLine: 9 }, 1, 1],
    [{ startLine: 2.7 }, 2, 2],
    [{ startLine: 1e300 }, 2_147_483_647, 2_147_483_647],
    [{ charOffset: 0, charLength: 2 }, 1, 1],
    [{ charOffset: 5, charLength: 6 }, 2, 3],
    [{ charOffset: 4_000 }, 1, 1],
    [{ byteOffset: 10, byteLength: 4 }, 1, 1],
    [{}, 1, 1],
    [undefined, 1, 1],
  ];
  for (const [region, startLine, endLine] of cases) {
    const physicalLocation = { artifactLocation: { uri: 'a.ts', index: 0 }, region };
    const finding = read(resultWith({ locations: [{ physicalLocation }] }), { artifacts });
    assert.deepEqual([finding.startLine, finding.endLine], [startLine, endLine], JSON.stringify(region));
  }
  const context = {
    artifactLocation: { uri: 'a.ts' },
    region: { charOffset: 7 },
    contextRegion: { startLine: 9 },
  };
  assert.equal(read(resultWith({ locations: [{ physicalLocation: context }] })).startLine, 9);
});

test('code comes from the snippet, the embedded file or the context', () => {
  const artifacts = [{ location: { uri: 'a.ts' }, contents: { text: 'one\r\ntwo\r\nthree' } }];
  const snippet = (physicalLocation: object) =>
    read(resultWith({ locations: [{ physicalLocation }] }), { artifacts }).snippet;
  const artifactLocation = { uri: 'a.ts', index: 0 };
  const contextRegion = { startLine: 1, snippet: { text: 'context' } };
  assert.equal(snippet({ artifactLocation, region: { startLine: 2, snippet: { text: 'own' } } }), 'own');
  assert.equal(
    snippet({ artifactLocation, region: { startLine: 2, endLine: 3 }, contextRegion }),
    'two\r\nthree',
  );
  assert.equal(
    snippet({ artifactLocation: { uri: 'b.ts' }, region: { startLine: 2 }, contextRegion }),
    'context',
  );
  assert.equal(snippet({ artifactLocation, region: { startLine: 9 } }), null);
});

test('the first location counts; without one, the analysis target does', () => {
  assert.equal(read(resultWith({ locations: [at('a.ts', 1), at('b.ts', 2)] })).filePath, 'a.ts');
  const analysisTarget = { uri: 'main.c' };
  assert.equal(read(resultWith({ locations: [], analysisTarget })).filePath, 'main.c');
  const nowhere = read(resultWith({ locations: [{ logicalLocations: [{ name: 'main' }] }] }));
  assert.deepEqual([nowhere.filePath, nowhere.startLine, nowhere.endLine], ['', 1, 1]);
});

test('a result is suppressed by one accepted suppression, not by a rejected or pending one', () => {
  const suppressed = (...suppressions: object[]) => read(resultWith({ suppressions })).suppressed;
  assert.equal(suppressed(), null);
  assert.equal(
    suppressed({ kind: 'external', status: 'rejected' }, { kind: 'inSource', status: 'underReview' }),
    null,
  );
  assert.deepEqual(suppressed({ kind: 'inSource' }), { reason: 'Suppressed in source', by: null });
  assert.deepEqual(
    suppressed(
      { kind: 'external', status: 'rejected' },
      { kind: 'external', justification: ' false\tpositive ' },
    ),
    { reason: 'false\tpositive', by: null },
  );
});

test('code flows and stacks become call stacks', () => {
  const location = {
    ...at('src/b.ts', 7),
    logicalLocations: [{ name: 'run', fullyQualifiedName: 'app.run' }],
    message: { text: 'call' },
  };
  const codeFlows = [
    {
      message: { text: 'Tainted' },
      threadFlows: [{ locations: [{ index: 0 }, { location }] }, { locations: [] }],
    },
  ];
  const stacks = [{ frames: [{ location: { logicalLocations: [{ name: 'main' }] } }] }];
  const finding = read(resultWith({ codeFlows, stacks }), {
    threadFlowLocations: [{ location: at('src/a.ts', 1) }],
  });
  assert.deepEqual(finding.reachability, {
    callStacks: [
      [
        { filePath: 'src/a.ts', line: 1, function: null, message: null },
        { filePath: 'src/b.ts', line: 7, function: 'app.run', message: 'call' },
      ],
      [{ filePath: null, line: null, function: 'main', message: null }],
    ],
    explanation: 'Tainted',
  });
});

test('the most specific of the reported fingerprints is used', () => {
  const given = (changes: object) => {
    const { fingerprint, partialFingerprint } = read(
      resultWith({ locations: [at('a.ts', 1, 'code')], ...changes }),
    );
    return [fingerprint, partialFingerprint];
  };
  assert.deepEqual(given({ fingerprints: { 'id/v1': 'old', 'id/v2': 'new' } }), ['new', null]);
  assert.deepEqual(
    given({ fingerprints: { 'id/v1': 'full' }, partialFingerprints: { 'postil/v1': 'own' } }),
    ['own', null],
  );
  assert.deepEqual(given({ partialFingerprints: { a: '1', primaryLocationLineHash: 'abc:1' } }), [
    null,
    'abc:1',
  ]);
  assert.deepEqual(given({ partialFingerprints: { commitSha: '1', author: 'x' } }), [null, null]);
  assert.deepEqual(given({ fingerprints: { 'matchBasedId/v1': 'requires login' } }), [null, null]);
  assert.deepEqual(given({ locations: [], partialFingerprints: { b: '2', a: '1' } }), [
    null,
    '[["a","1"],["b","2"]]',
  ]);
});

test('findings keep their identity when lines move', () => {
  const scan = (shift: number, eol: string) => [
    resultWith({ locations: [at('a.ts', 3 + shift, `eval(x)${eol}  .y;`)] }),
    resultWith({ locations: [at('a.ts', 9 + shift, `eval(x)${eol}.y;`)] }),
    resultWith({
      message: { text: `Unused, see line ${20 + shift} and b.ts:${7 + shift}:3` },
      locations: [at('b.ts', 1 + shift)],
    }),
  ];
  const keysOf = (log: unknown) => readSarif(log).map((finding) => alikeKey('', finding));
  const before = keysOf(logOf(scan(0, '\n')));
  const after = keysOf(logOf(scan(40, '\r\n')));
  assert.deepEqual(after, before);
  assert.equal(new Set(before).size, 2);
});

test('huge texts are shortened, and repeated arguments cannot inflate a message', () => {
  const long = 'x'.repeat(1_000_000);
  const finding = read(
    resultWith({ ruleId: long, message: { text: '{0}'.repeat(10_000), arguments: [long] } }),
    driver({ id: long, shortDescription: { text: long } }),
  );
  assert.equal(finding.ruleId.length, 512);
  assert.equal(finding.title.length, 1_000);
  assert.equal(finding.description?.length, 20_000);
  assert.ok(finding.description?.endsWith('…'));
});

test('characters that the database cannot store are removed', () => {
  const finding = read(resultWith({ message: { text: 'a\0b\uD800c' } }));
  assert.equal(finding.title, 'ab\uFFFDc');
});

test('deep nesting in parts that are not read is harmless', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const properties = {
    deep,
    postil: { title: 'T', reachability: { callStacks: [deep], explanation: null } },
  };
  const finding = read(resultWith({ properties, webRequest: deep }));
  assert.equal(finding.title, 'T');
  assert.equal(finding.reachability, null);
});
