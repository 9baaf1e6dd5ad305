// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of programs
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf, type Versions } from '../../../../../test/change-of-versions.ts';
import { isFollowed } from '../find-flows.ts';
import { lostProtections } from './lost-protections.ts';
import { lostProtectionExamples } from './protection-table.ts';

/** The findings about a change, as `rule path:line`. */
async function saidOf(versions: Versions): Promise<string[]> {
  const found = await lostProtections(changeOf(versions), isFollowed);
  return found.map(({ rule, path, startLine }) => `${rule.slice('dataflow/'.length)} ${path}:${startLine}`);
}

const ofFile = (before: readonly string[], now: readonly string[], path = 'src/a.js') =>
  saidOf({ [path]: [`${before.join('\n')}\n`, `${now.join('\n')}\n`] });

test('every rule finds the lost protection of its example, and nothing when it is restored', async () => {
  for (const [rule, { path, fails, passes }] of Object.entries(lostProtectionExamples)) {
    const [said, ...others] = await saidOf({ [path]: [passes, fails] });
    assert.match(said ?? '', new RegExp(`^${rule} `));
    assert.deepEqual(others, []);
    assert.deepEqual(await saidOf({ [path]: [fails, passes] }), [], rule);
  }
});

test('a value that was sanitized, and now is put into the same text as it is, is reported', async () => {
  const page = (name: string) => ['function page(user) {', `  return \`<b>\${${name}}</b>\`;`, '}'];
  assert.deepEqual(await ofFile(page('escapeHtml(user.name)'), page('user.name')), [
    'cleaning-removed src/a.js:2',
  ]);
  const readme = ['const Readme = (props) => {', '  const clean = preventXSS(props.text);'];
  const raw = [
    'const Readme = (props) => {',
    '  return <p dangerouslySetInnerHTML={{__html: props.text}}/>;',
  ];
  assert.deepEqual(
    await ofFile(
      [...readme, '  return <p dangerouslySetInnerHTML={{__html: clean}}/>;', '};'],
      [...raw, '};'],
    ),
    ['cleaning-removed src/a.js:2'],
  );
  const row = (...cleaned: string[]) => [
    'for (const name of names) {',
    ...cleaned,
    "  out.write('<li>' + name);",
    '}',
  ];
  assert.deepEqual(await ofFile(row("  name = name.replace(/</g, '&lt;');"), row()), [
    'cleaning-removed src/a.js:2',
  ]);
  assert.deepEqual(
    await saidOf({
      'app/run.py': [
        'def run(name):\n    go("ls " + shlex.quote(name))\n',
        'def run(name):\n    go("ls " + name)\n',
      ],
    }),
    ['cleaning-removed app/run.py:2'],
  );
});

test('sanitizing that has moved, was replaced, or is done by the framework is not lost', async () => {
  const page = (name: string) => ['function page(user) {', `  return \`<b>\${${name}}</b>\`;`, '}'];
  const cleaned = page('escapeHtml(user.name)');
  assert.deepEqual(await ofFile(cleaned, page('encode(user.name)')), [], 'another one');
  assert.deepEqual(
    await ofFile(cleaned, ['function page(user) {', '  return user.name;', '}']),
    [],
    'no markup',
  );
  assert.deepEqual(await ofFile(cleaned, ['const nothing = 1;']), [], 'the value is removed as well');
  assert.deepEqual(
    await saidOf({
      'src/a.js': [cleaned.join('\n'), page('user.name').join('\n')],
      'src/b.js': ['show(user);\n', 'user.name = escapeHtml(user.name);\nshow(user);\n'],
    }),
    [],
    'elsewhere',
  );
  const element = (name: string) => ['const Name = (user) => (', `  <b>{${name}}</b>`, ');'];
  assert.deepEqual(
    await ofFile(element('escapeHtml(user.name)'), element('user.name')),
    [],
    'escaped by React',
  );
  assert.deepEqual(await ofFile(page('unescapeHtml(user.name)'), page('user.name')), [], 'the opposite');
  const versions: Versions = { 'src/a.test.js': [cleaned.join('\n'), page('user.name').join('\n')] };
  assert.deepEqual(await saidOf(versions), [], 'a test');
});

test('a removed check is reported at the code that it protected', async () => {
  const copy = (check: string[]) => [
    'for (const key in source) {',
    ...check,
    '  const value = source[key];',
    '  if (isObject(value)) {',
    '    target[key] = merge(target[key], value);',
    '  } else {',
    '    target[key] = value;',
    '  }',
    '}',
  ];
  assert.deepEqual(await ofFile(copy(["  if (key === '__proto__') {", '    continue;', '  }']), copy([])), [
    'check-removed src/a.js:4',
  ]);
  const serve = (check: string[]) => [
    'function serve(request, response, name) {',
    '  const file = join(root, name);',
    ...check,
    '  createReadStream(file).pipe(response);',
    '}',
  ];
  for (const check of [
    "file.includes('..')",
    '!file.startsWith(root)',
    'file.indexOf(root) !== 0',
    '!isPathInside(file, root)',
  ])
    assert.deepEqual(
      await ofFile(serve([`  if (${check}) return response.end();`]), serve([])),
      ['check-removed src/a.js:3'],
      check,
    );
  const go = (check: string[]) => ['on((address) => {', ...check, '  window.location.href = address;', '});'];
  assert.deepEqual(await ofFile(go(['   if (!isSafeUrl(address)) return;']), go([])), [
    'check-removed src/a.js:2',
  ]);
  const list = (names: string) => [`const refused = [${names}];`, 'use(refused);'];
  assert.deepEqual(await ofFile(list("'javascript', 'data'"), list("'javascript'")), [
    'check-removed src/a.js:1',
  ]);
  assert.deepEqual(await ofFile(["app.post('/pay', csrf(), pay);"], ["app.post('/pay', pay);"]), [
    'check-removed src/a.js:1',
  ]);
  assert.deepEqual(
    await saidOf({
      'app/views.py': ['@login_required\ndef pay(request):\n    go()\n', 'def pay(request):\n    go()\n'],
    }),
    ['check-removed app/views.py:1'],
  );
});

test('a check that has nothing left to protect, is rewritten, or is done elsewhere is not lost', async () => {
  const check = "  if (file.includes('..')) return null;";
  const serve = (...lines: string[]) => [
    'function serve(root, name) {',
    '  const file = join(root, name);',
    ...lines,
    '}',
  ];
  const open = '  return readFile(file);';
  assert.deepEqual(await ofFile(serve(check, open), serve()), [], 'nothing is opened');
  assert.deepEqual(await ofFile(serve(check, open), ['const a = 1;']), [], 'the function is removed as well');
  assert.deepEqual(
    await ofFile(serve(check, open), serve("  if (file.split('/').includes('..')) return;", open)),
    [],
  );
  assert.deepEqual(
    await saidOf({
      'src/a.js': [serve(check, open).join('\n'), serve(open).join('\n')],
      'src/b.js': [
        'serve(root, name);\n',
        "if (name.includes('..')) throw new Error();\nserve(root, name);\n",
      ],
    }),
    [],
  );
  assert.deepEqual(
    await ofFile(serve('  if (file.startsWith(root)) log(file);', open), serve(open)),
    [],
    'it refused nothing',
  );
  assert.deepEqual(
    await ofFile(["app.post('/pay', csrf(), pay);"], ['app.use(csrf());', "app.post('/pay', pay);"]),
    [],
    'for all routes',
  );
});

test('removals of one kind in several places of a file are one finding, which names the others', async () => {
  const page = (...names: string[]) =>
    names.flatMap((name, index) => [`show(\`<b>\${${name}}</b>\`);`, `done(${index});`]);
  const versions: Versions = {
    'src/a.js': [page('escapeHtml(a)', 'escapeHtml(b)').join('\n'), page('a', 'b').join('\n')],
  };
  const found = await lostProtections(changeOf(versions), isFollowed);
  assert.deepEqual(
    found.map(({ startLine, related }) => [startLine, related.map((each) => each.startLine)]),
    [[3, [1]]],
  );
});

test('weaker random numbers are reported only if the file has no secure ones left', async () => {
  const before = [
    "import { randomBytes } from 'node:crypto';",
    "const id = () => randomBytes(8).toString('hex');",
  ];
  const now = 'const id = () => Math.random().toString(36);';
  assert.deepEqual(await ofFile(before, [now]), ['weaker-random src/a.js:1']);
  assert.deepEqual(await ofFile(before, [...before, 'const delay = Math.random();']), []);
  assert.deepEqual(
    await ofFile([...before, 'const delay = Math.random();'], ['const delay = 2 * Math.random();']),
    [],
  );
});
