import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { patterns } from './patterns.ts';

/** The findings about statements in a function, as `line rule`; the first statement is line 1. */
async function saidOf(...lines: string[]): Promise<string[]> {
  const text = `package main; func f() {\n${lines.join('\n')}\n}\n`;
  const [found] = await patterns.find([{ path: 'src/a.go', text }], AbortSignal.timeout(300_000));
  return found!.map(({ startLine, rule }) => `${startLine - 1} ${rule.replace('patterns/', '')}`).sort();
}

test('Go: calls without effect, lost cancels, bare durations, late Add', async () => {
  const found = await saidOf(
    'fmt.Errorf("no %s", name)',
    'err := fmt.Errorf("no %s", name)',
    'strings.TrimSpace(name)',
    'fmt.Println(name)',
    'ctx, _ := context.WithTimeout(ctx, time.Second)',
    'ctx, cancel := context.WithCancel(ctx)',
    'time.Sleep(5)',
    'time.Sleep(5 * time.Second)',
    'time.Sleep(wait)',
    'go func() {',
    '  wg.Add(1)',
    '}()',
    'go func() {',
    '  defer wg.Done()',
    '  total.Add(1)',
    '}()',
  );
  assert.deepEqual(found, [
    '1 unused-result',
    '10 waitgroup-add-inside',
    '3 unused-result',
    '5 lost-cancel',
    '7 sleep-without-unit',
  ]);
});

test('Go: the ignored results that the guide lists are found, and those that it excludes are not', async () => {
  const guide = await readFile(new URL('../../../../docs/review.md', import.meta.url), 'utf8');
  const [, listed = '', excluded = ''] =
    /^Of ignored results in Go, (.*?)Ignored errors(.*)$/m.exec(guide) ?? [];
  const callsIn = (text: string) => [...text.matchAll(/`(\w+\.\w+)`/g)].map(([, name]) => `${name}(name)`);
  assert.ok(callsIn(listed).length >= 23 && callsIn(excluded).length > 0);
  assert.deepEqual(
    (await saidOf(...callsIn(listed))).toSorted(),
    callsIn(listed)
      .map((_, index) => `${index + 1} unused-result`)
      .toSorted(),
  );
  assert.deepEqual(await saidOf(...callsIn(excluded)), []);
});

test('Go: a `Close` that is deferred before the error is checked', async () => {
  assert.deepEqual(
    await saidOf(
      'resp, err := http.Get(url)',
      'defer resp.Body.Close()',
      'if err != nil { return }',
      'rows, err := db.QueryContext(ctx, text)',
      'defer rows.Close()',
      'file, err := os.Open(name)',
      'defer file.Close()',
      'other, err := http.Get(url)',
      'if err != nil { return }',
      'defer other.Body.Close()',
      'again, err := http.Get(url)',
      'defer other.Body.Close()',
    ),
    ['2 used-before-error-check', '5 used-before-error-check'],
  );
});

test('Go: a handler that continues after it has answered', async () => {
  const after = (...inside: string[]) => ['if err != nil {', ...inside, '}', 'w.Write(data)'];
  const said = ['2 answer-goes-on'];
  assert.deepEqual(await saidOf(...after('http.Error(w, "no", 500)')), said);
  assert.deepEqual(await saidOf(...after('http.Error(w, "no", 500) // really')), said);
  assert.deepEqual(await saidOf(...after('http.Error(w, "no", 500)', 'return')), []);
  assert.deepEqual(await saidOf('if err != nil {', 'http.Error(w, "no", 500)', '}'), []);
  assert.deepEqual(
    await saidOf(
      'if err != nil {',
      'http.Error(w, "no", 500)',
      '} else {',
      'w.Write(data)',
      '}',
      'log.Print(1)',
    ),
    [],
  );
});

test('Go: values in commands and queries, and unchecked certificates', async () => {
  const found = await saidOf(
    'exec.Command("sh", "-c", fmt.Sprintf("ls %s", name))',
    'exec.CommandContext(ctx, "/bin/bash", "-c", "ls " + name)',
    'exec.Command("sh", "-c", "ls")',
    'exec.Command("ls", name)',
    'db.Query(fmt.Sprintf("SELECT * FROM users WHERE name = \'%s\'", name))',
    'db.QueryRowContext(ctx, "SELECT * FROM users WHERE id = " + id)',
    'db.Query(fmt.Sprintf("SELECT * FROM %s WHERE id = $1", table), id)',
    'db.Exec("DELETE FROM users WHERE id = $1", id)',
    'client := tls.Config{InsecureSkipVerify: true}',
    'client := tls.Config{InsecureSkipVerify: insecure}',
    'if !options.VerifyCert { client.TLS = &tls.Config{InsecureSkipVerify: true} }',
    'db.Exec("DELETE FROM users WHERE id = " + placeholder(1), id)',
    'db.Exec("DELETE FROM users WHERE id IN " + clause, ids...)',
  );
  assert.deepEqual(found, [
    '1 shell-injection',
    '2 shell-injection',
    '5 sql-injection',
    '6 sql-injection',
    '9 certificate-not-checked',
  ]);
});
