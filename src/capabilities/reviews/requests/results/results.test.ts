import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';

const { app, forge, reviews, addRepository, deliverAll, settleAll, adaKey, connectionId } =
  await startReviewingApp();
const key = await adaKey();
const timeout = 600_000;

type Fields = Record<string, unknown>;

/** A result of a rule at a line, as a tool that ran in a build writes it. */
function result(ruleId: string, line: number, more: Fields = {}, file = 'src/a.ts') {
  const artifactLocation = { uri: `file:///builds/7/project/${file}` };
  return {
    ruleId,
    message: { text: `${ruleId} is violated` },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line } } }],
    ...more,
  };
}

const sarif = (results: unknown[], name = 'Lint') => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name } }, results }],
});

const send = (body: Fields, headers: Record<string, string> = {}) =>
  app.call('POST', '/v1/reviews/results', { key, body, headers });
const read = async (id: string) => (await app.get(`/v1/reviews/${id}`, key)).json;
const runsOf = async (repositoryId: unknown) =>
  (await app.get(`/v1/reviews?repository_ids=${repositoryId}`, key)).json.data;
const newest = async (repositoryId: unknown) => read((await runsOf(repositoryId))[0].id);
const brief = (run: Fields) =>
  (run.findings as Fields[]).map(({ source, severity, start_line }) => [
    (source as Fields).name,
    severity,
    start_line,
  ]);

/** A pull request whose lines 2 and 3 of src/a.ts are new. */
async function openPull(before = 'one();\nfour();\n', after = 'one();\ntwo();\nthree();\nfour();\n') {
  const git = await addRepository({ 'src/a.ts': before, 'src/b.ts': 'b();\n' });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/a.ts': after });
  const pull = await git.open(forge.ada, 'topic');
  const head = (await git.git('rev-parse', 'HEAD')).trim();
  return { git, pull, head, repository_id: String(pull.repository.id) };
}

test('results on lines of the change become findings with a comment, others are shown apart, suppressed ones are silent', {
  timeout,
}, async () => {
  const { pull, repository_id } = await openPull();
  await deliverAll();
  const answer = await send({
    repository_id,
    pull_request: pull.number,
    sarif: sarif([
      result('new-fault', 2, { level: 'error' }),
      result('scored', 3, { level: 'note', properties: { 'security-severity': '9.1' } }),
      // `baselineState` compares with the analyzer's own last run, which may have been on an earlier push.
      result('noted', 2, { baselineState: 'unchanged' }),
      result('old-fault', 1),
      result('old-fault', 1, {}, 'src/b.ts'),
      result('quiet-fault', 2, { suppressions: [{ kind: 'inSource' }] }),
      result('elsewhere', 1, {}, '../../usr/include/stdio.h'),
    ]),
  });
  assert.equal(answer.status, 202, answer.text);
  assert.deepEqual(Object.keys(answer.json).sort(), ['id', 'status']);
  await settleAll();
  const run = await read(answer.json.id);
  assert.deepEqual(brief(run), [
    ['Lint/scored', 'critical', 3],
    ['Lint/new-fault', 'major', 2],
    ['Lint/noted', 'minor', 2],
  ]);
  assert.deepEqual(
    run.findings.map(({ confidence, rules }: Fields) => [confidence, rules]),
    [
      ['likely', ['Lint/scored']],
      ['likely', ['Lint/new-fault']],
      ['likely', ['Lint/noted']],
    ],
  );
  assert.deepEqual(
    run.report.preexisting.map(({ path, start_line, rule }: Fields) => [path, start_line, rule]).sort(),
    [
      ['src/a.ts', 1, 'Lint/old-fault'],
      ['src/b.ts', 1, 'Lint/old-fault'],
    ],
  );
  assert.match(run.notes.join(' '), /A result of Lint is about files that are not in the repository/);
  const { threads } = reviews.pull(pull.repository, pull.number);
  assert.equal(threads.length, 3);
});

test('results that come before the run are kept for it, under the id that their sender was told', {
  timeout,
}, async () => {
  const { head, repository_id } = await openPull();
  const body = { repository_id, head_revision: head, sarif: sarif([result('early', 2)]) };
  const early = await app.call('POST', '/v1/reviews/results', {
    key,
    body: gzipSync(JSON.stringify(body)),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  assert.deepEqual([early.status, early.json.status], [202, 'queued'], early.text);
  const again = await send(body);
  assert.equal(again.json.id, early.json.id);
  await deliverAll();
  const runs = await runsOf(repository_id);
  assert.deepEqual(
    runs.map(({ id, trigger }: Fields) => [id, trigger]),
    [[early.json.id, 'opened']],
  );
  assert.deepEqual(brief(await read(early.json.id)), [['Lint/early', 'minor', 2]]);
});

test('what is sent twice, or is about a head that is gone, starts nothing and changes nothing', {
  timeout,
}, async () => {
  const { git, pull, head, repository_id } = await openPull();
  await deliverAll();
  const body = { repository_id, head_revision: head, sarif: sarif([result('once', 2)]) };
  const first = await send(body);
  await settleAll();
  assert.deepEqual(brief(await read(first.json.id)), [['Lint/once', 'minor', 2]]);
  const second = await send(body);
  assert.deepEqual([second.status, second.json], [202, { id: first.json.id, status: 'succeeded' }]);
  await settleAll();
  assert.equal((await runsOf(repository_id)).length, 2);

  await git.commit({ 'src/c.ts': 'c();\n' });
  await git.push(pull, 'topic');
  await deliverAll();
  const before = await newest(repository_id);
  const late = await send({ ...body, sarif: sarif([result('late', 3)]) });
  assert.deepEqual([late.status, late.json], [202, { id: first.json.id, status: 'succeeded' }]);
  await settleAll();
  assert.deepEqual(await newest(repository_id), before);
  assert.deepEqual(brief(before), [['Lint/once', 'minor', 2]]);
  const kept = await app.database.sql`SELECT 1 FROM review_results WHERE head_revision = ${head}`;
  assert.equal(kept.length, 1, 'nothing is kept for a head that nobody reviews any more');
});

test('what an analyzer no longer reports at a newer head is gone; what it has not reported about yet stays', {
  timeout,
}, async () => {
  const { git, pull, repository_id } = await openPull();
  await deliverAll();
  const report = async (results: unknown[], name?: string) => {
    const answer = await send({ repository_id, pull_request: pull.number, sarif: sarif(results, name) });
    assert.equal(answer.status, 202, answer.text);
    await settleAll();
    return newest(repository_id);
  };
  await report([result('a', 2), result('b', 3)]);
  const both = await report([result('c', 2)], 'Other');
  assert.deepEqual(brief(both).sort(), [
    ['Lint/a', 'minor', 2],
    ['Lint/b', 'minor', 3],
    ['Other/c', 'minor', 2],
  ]);
  await git.commit({ 'src/a.ts': 'zero();\none();\ntwo();\nfour();\n' });
  await git.push(pull, 'topic');
  await deliverAll();
  const pushed = await newest(repository_id);
  assert.deepEqual(brief(pushed).sort(), [
    ['Lint/a', 'minor', 3],
    ['Other/c', 'minor', 3],
  ]);
  const reported = await report([], 'Lint');
  assert.deepEqual(brief(reported), [['Other/c', 'minor', 3]]);
  const gone = both.findings.filter(({ source }: { source: Fields }) => source.name !== 'Other/c');
  for (const { finding_id } of gone) {
    const signals = await app.get(`/v1/reviews/${both.id}/findings/${finding_id}/signals`, key);
    assert.equal(
      (await read(both.id)).findings.find((one: Fields) => one.finding_id === finding_id).state,
      'resolved',
    );
    assert.ok(signals.status === 200, signals.text);
  }
});

test('of more logs than are read for a version, what stands in those that are left out is not called gone', {
  timeout,
}, async () => {
  const { pull, head, repository_id } = await openPull();
  await deliverAll();
  const report = async (results: unknown[]) => {
    const answer = await send({ repository_id, pull_request: pull.number, sarif: sarif(results) });
    assert.equal(answer.status, 202, answer.text);
    await settleAll();
    return newest(repository_id);
  };
  await report([]);
  // The state after a build has sent many logs.
  await app.database.sql`
    INSERT INTO review_results (organization_id, repository_id, head_revision, digest, tool, results, bytes, run_id, received_at)
    SELECT organization_id, repository_id, head_revision, 'log ' || n, tool, results, bytes, run_id, received_at
    FROM review_results, generate_series(1, 60) AS n WHERE head_revision = ${head}`;
  assert.deepEqual(brief(await report([result('a', 2)])), [['Lint/a', 'minor', 2]]);
  await app.database.sql`
    UPDATE review_results SET received_at = received_at - interval '1 hour'
    WHERE head_revision = ${head} AND digest NOT LIKE 'log %'`;
  assert.deepEqual(brief(await report([result('b', 3)])).sort(), [
    ['Lint/a', 'minor', 2],
    ['Lint/b', 'minor', 3],
  ]);
});

test('a fault that a rule of ours and an analyzer find has one comment, whoever comes first', {
  timeout,
}, async () => {
  const { pull, repository_id } = await openPull('one();\n', 'one();\nif (x === NaN) y();\n');
  await deliverAll();
  const own = await newest(repository_id);
  assert.deepEqual(
    brief(own).map(([name]) => name),
    ['oxlint/use-isnan'],
  );
  // A log with this name, and one with the name of the linter whose rules ours include.
  const log = {
    version: '2.1.0',
    runs: ['oxlint', 'ESLint'].flatMap((tool) => {
      return sarif([result('use-isnan', 2, { properties: { 'security-severity': '9.8' } })], tool).runs;
    }),
  };
  const listed = async () =>
    (await app.get(`/v1/reviews/findings?reviewer=postil&repository_ids=${repository_id}`, key)).json.data;
  const severitiesOf = async () => (await listed()).map(({ severity }: Fields) => severity);
  assert.deepEqual(await severitiesOf(), [own.findings[0].severity]);
  assert.notEqual(own.findings[0].severity, 'critical');
  await send({ repository_id, pull_request: pull.number, sarif: log });
  await settleAll();
  const run = await newest(repository_id);
  assert.notEqual(run.id, own.id);
  assert.deepEqual(
    run.findings.map(({ finding_id, rules }: Fields) => [finding_id, rules]),
    [[own.findings[0].finding_id, ['oxlint/use-isnan', 'ESLint/use-isnan']]],
  );
  assert.deepEqual(await severitiesOf(), ['critical'], 'it is as severe as the worst who found it');
  assert.equal(reviews.pull(pull.repository, pull.number).threads.length, 1);
});

test('of more than 200 results in a file the worst are taken, and the review says that it is not whole', {
  timeout,
}, async () => {
  const { pull, repository_id } = await openPull();
  await deliverAll();
  const many = Array.from({ length: 200 }, (_, index) => result(`r${index}`, 2));
  await send({ repository_id, pull_request: pull.number, sarif: sarif(many) });
  await settleAll();
  const whole = await newest(repository_id);
  assert.deepEqual([whole.status, whole.findings.length], ['succeeded', 200]);
  const more = sarif([...many, result('worst', 3, { level: 'error' })]);
  await send({ repository_id, pull_request: pull.number, sarif: more });
  await settleAll();
  const run = await newest(repository_id);
  // A finding that was posted before but exceeds the limit now is still reported, so it must not be called gone.
  assert.deepEqual([run.status, run.findings.length], ['degraded', 201]);
  assert.ok(brief(run).some(([name]) => name === 'Lint/worst'));
  assert.deepEqual(
    run.coverage.filter(({ path }: Fields) => path === 'src/a.ts'),
    [{ path: 'src/a.ts', state: 'partial', reason: 'too_many_findings' }],
  );
});

test('fixes become suggestions, and code flows become related places from the source to the sink', {
  timeout,
}, async () => {
  const { pull, repository_id } = await openPull();
  await deliverAll();
  const at = (line: number, text: string, file = 'src/a.ts') => ({
    location: {
      physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } },
      message: { text },
    },
  });
  const flow = { threadFlows: [{ locations: [at(1, 'read here', 'src/b.ts'), at(2, 'used here')] }] };
  const replacement = {
    deletedRegion: { startLine: 2, startColumn: 1, endColumn: 4 },
    insertedContent: { text: 'deux' },
  };
  const fix = {
    artifactChanges: [
      { artifactLocation: { uri: 'file:///builds/7/project/src/a.ts' }, replacements: [replacement] },
    ],
  };
  const log = sarif([result('flow', 2, { codeFlows: [flow], fixes: [fix] })]);
  const { json } = await send({ repository_id, pull_request: pull.number, sarif: log });
  await settleAll();
  const [finding] = (await read(json.id)).findings;
  assert.equal(finding.suggestion, 'deux();');
  assert.deepEqual(finding.related, [
    { path: 'src/b.ts', start_line: 1, end_line: 1, text: 'read here' },
    { path: 'src/a.ts', start_line: 2, end_line: 2, text: 'used here' },
  ]);
});

test('an event source may send results for its organizations if it may report them, and nobody else for others', {
  timeout,
}, async () => {
  const { pull, head, repository_id } = await openPull();
  await deliverAll();
  const { json: connection } = await app.operator('GET', `/operator/v1/connections/${connectionId}`);
  const acme = { provider: 'gitea', org_id: String(forge.acme.id), instance: connection.instance };
  const source = async (types: string[], organizations: unknown[] = [acme]) =>
    (await app.operator('POST', '/operator/v1/sources', { name: 'ci', organizations, types })).json.value;
  const body = { repository_id, head_revision: head, sarif: sarif([result('from-ci', 2)]) };
  const post = (value: string, sent: Fields = body) =>
    app.call('POST', '/v1/reviews/results', { key: value, body: sent });
  const other = await post(await source(['postil.security_scan']));
  assert.deepEqual([other.status, other.json.error.code], [403, 'FORBIDDEN']);
  await app.platform({
    organizations: [{ provider: 'github', provider_organization_id: '77', name: 'foreign', plan: 'pro' }],
  });
  const foreign = await source(['postil.review_results'], [{ provider: 'github', org_id: '77' }]);
  assert.equal((await post(foreign)).status, 404);
  assert.equal((await post(foreign, { ...body, org_id: String(forge.acme.id) })).status, 404);
  assert.equal((await runsOf(repository_id)).length, 1);
  const own = await source(['postil.review_results']);
  const accepted = await post(own);
  assert.equal(accepted.status, 202, accepted.text);
  await settleAll();
  assert.deepEqual(brief(await read(accepted.json.id)), [['Lint/from-ci', 'minor', 2]]);
  assert.equal(reviews.pull(pull.repository, pull.number).threads.length, 1);
});

test('what cannot be taken is refused in words and changes nothing', { timeout }, async () => {
  const { pull, head, repository_id } = await openPull();
  await deliverAll();
  const good = { repository_id, pull_request: pull.number, sarif: sarif([]) };
  const refusals: [Fields, number, RegExp][] = [
    [{ ...good, head_revision: head }, 400, /exactly one of pull_request and head_revision/],
    [{ repository_id, sarif: sarif([]) }, 400, /exactly one of pull_request and head_revision/],
    [{ repository_id, head_revision: 'main', sarif: sarif([]) }, 400, /head_revision: must be a commit id/],
    [{ ...good, more: 1 }, 400, /more/],
    [{ ...good, sarif: {} }, 400, /sarif\.version: is missing, expected "2\.1\.0"/],
    [{ ...good, sarif: { version: '1.0.0', runs: [] } }, 400, /sarif\.version: is "1\.0\.0"/],
    [{ ...good, sarif: { version: '2.1.0', runs: [{}] } }, 400, /sarif\.runs\[0\]\.tool/],
    [{ ...good, repository_id: 'no-such' }, 404, /no such repository/],
    [{ ...good, pull_request: 4711 }, 404, /no such pull request/],
  ];
  for (const [body, status, message] of refusals) {
    const answer = await send(body);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.json.error.message, message);
  }
  const raw = (bytes: string, headers: Record<string, string> = {}) =>
    app.call('POST', '/v1/reviews/results', {
      key,
      body: bytes,
      headers: { 'content-type': 'application/json', ...headers },
    });
  assert.match((await raw(`{"sarif":${'['.repeat(100_000)}`)).text, /nested more than 200 levels/);
  assert.equal((await raw('{')).status, 400);
  assert.equal((await raw('{}', { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await raw(' '.repeat(20 * 1024 * 1024 + 1))).status, 413);
  await settleAll();
  assert.equal((await runsOf(repository_id)).length, 1);
});
