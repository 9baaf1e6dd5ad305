import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patterns } from '../patterns.ts';
import { treeLanguages } from './tree-rules.ts';

/** The findings about one text, as `line rule`. */
async function saidOf(path: string, text: string): Promise<string[]> {
  const [found] = await patterns.find([{ path, text }], AbortSignal.timeout(300_000));
  return found!.map(({ startLine, rule }) => `${startLine} ${rule}`).sort();
}

for (const { name, path, rules } of treeLanguages)
  test(`every rule for ${name} finds the fault of its failing example, names its weakness, and reports nothing in its passing one`, async () => {
    assert.ok(patterns.covers(path));
    for (const { id, facts, example } of rules) {
      const found = await saidOf(path, example.fails);
      assert.deepEqual(
        found.map((each) => each.replace(/^\d+ /, '')),
        [`patterns/${id}`],
        example.fails,
      );
      assert.deepEqual(await saidOf(path, example.passes), [], example.passes);
      assert.match(facts[4] ?? '', /^CWE-\d+$/, id);
    }
  });

test('texts of programs, comments, constants and names of tables are not reported', async () => {
  const silent: [string, string][] = [
    [
      'src/A.java',
      'class A {\n  // MessageDigest.getInstance("MD5")\n  String a = "new Random() token";\n}\n',
    ],
    ['src/A.java', 'class A { int a() { return new Random().nextInt(6); } }\n'],
    ['src/A.java', 'class A { String a(String t) { return "SELECT * FROM " + t + " WHERE b = ?"; } }\n'],
    ['src/A.java', 'class A { String a() { return "SELECT * FROM a WHERE b = " + LIMIT; } }\n'],
    ['src/a.c', 'void a(void) { printf("hello"); printf(usage); }\n'],
    ['app/a.rb', 'system("ls")\nUser.where("a = 1")\n'],
    ['src/a.php', '<?php\n$db->query("SELECT * FROM a WHERE b = 1");\n'],
    ['src/a.rs', 'fn a() { format!("SELECT * FROM {table} WHERE a = 1"); }\n'],
  ];
  for (const [path, text] of silent) assert.deepEqual(await saidOf(path, text), [], text);
});

test('several versions and languages in one request each get their own findings', async () => {
  const files = [
    { path: 'a.py', text: 'a = 1\n' },
    { path: 'app/a.rb', text: 'system("a #{b}")\n' },
    { path: 'app/a.rb', text: 'system("a")\n' },
    { path: 'src/a.js', text: 'new Function(body);\n' },
  ];
  const found = await patterns.find(files, AbortSignal.timeout(300_000));
  assert.deepEqual(
    found.map((each) => each.map(({ rule }) => rule)),
    [[], ['patterns/shell-injection'], [], ['patterns/code-from-text']],
  );
});

test('hostile texts terminate: deep nesting, long lines, broken syntax', async () => {
  const texts: [string, string][] = [
    ['src/A.java', `class A { int a = ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`],
    ['src/a.c', `void a() { printf(${'b'.repeat(50_000)}); }`],
    ['src/a.php', `<?php "SELECT ${'= '.repeat(20_000)}`],
    ['app/a.rb', `system("${'#{'.repeat(2_000)}`],
  ];
  for (const [path, text] of texts) assert.ok(Array.isArray(await saidOf(path, text)));
});
