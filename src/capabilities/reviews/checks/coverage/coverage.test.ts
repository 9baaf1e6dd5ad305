import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { childEnvironment } from '../../../../../test/child-environment.ts';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';
import { portOf } from '../../../../../test/late-caller.ts';

const { app, forge, reviews, connectionId, addRepository, deliverAll, settleAll, adaKey } =
  await startReviewingApp();
const key = await adaKey();
const long = { timeout: 600_000 };
const endpoint = '/v1/reviews/coverage';
const main = path.join(import.meta.dirname, '../../../../cli/main.ts');

const send = (body: object) => app.call('POST', endpoint, { key, body });

const lcov = (file: string, ...run: number[]) =>
  `SF:${file}\n${run.map((hits, index) => `DA:${index + 1},${hits}\n`).join('')}end_of_record\n`;

async function openPull() {
  const git = await addRepository({
    '.postil.yaml': 'checks:\n  coverage: { changed_lines: 80, mode: error }\n',
  });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': 'export const one = 1;\nexport const two = 2;\n' });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  const head = pull.commits.at(-1)!.sha;
  const shown = () => {
    const checks = reviews.pull(git.repository, pull.number).statuses.filter(({ of }) => of === 'checks');
    const last = checks.at(-1)!;
    return [last.state, last.description];
  };
  const body = { repository_id: String(git.repository.id), head_revision: head, format: 'lcov' };
  return { git, pull, head, shown, body };
}

test(
  'coverage is not decided until a report is there; several add up, the same again changes nothing',
  long,
  async () => {
    const { git, shown, body } = await openPull();
    assert.deepEqual(shown(), [
      'neutral',
      '- **coverage** inconclusive: There is no coverage report for this version.',
    ]);
    const half = { ...body, report: lcov('/build/agent/src/load.ts', 1, 0) };
    const first = await send(half);
    assert.equal(first.status, 202, first.text);
    assert.deepEqual(first.json, { files: 1, unread_lines: 0, pull_requests: [1] });
    await settleAll();
    assert.equal(shown()[0], 'failure');
    assert.match(
      shown()[1]!,
      /Tests run 50 % of the executable added lines \(2 lines\), 80 % required: src\/load\.ts \(1 not run\)/,
    );

    const other = JSON.stringify({ ...body, report: `${lcov('src/load.ts', 0, 3)}${lcov('lib/x.ts', 1)}` });
    const packed = await app.call('POST', endpoint, {
      body: gzipSync(other),
      headers: { 'x-service-api-key': key, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    assert.equal(packed.status, 202, packed.text);
    await settleAll();
    assert.deepEqual(shown(), [
      'success',
      '- passed: coverage\n  - `src/load.ts`: tests run 2 of 2 executable added lines',
    ]);
    const odd = await send({ ...body, report: `${lcov('src/load.ts', 1)}SF:src/load.ts\nDA:1,abc\n` });
    assert.deepEqual(odd.json, { files: 1, unread_lines: 1, pull_requests: [1] });
    await settleAll();
    const { length } = reviews.pull(git.repository, 1).statuses;
    assert.equal((await send(half)).status, 202);
    await settleAll();
    assert.equal(reviews.pull(git.repository, 1).statuses.length, length);
    const [run] = (await app.get(`/v1/reviews?repository_ids=${git.repository.id}`, key)).json.data;
    assert.deepEqual((await app.get(`/v1/reviews/${run.id}`, key)).json.report.checks, [
      {
        name: 'coverage',
        mode: 'error',
        verdict: 'passed',
        text: 'Tests run 100 % of the executable added lines (2 lines); not in this repository: lib/x.ts; 1 line of the report cannot be read.',
        files: [{ path: 'src/load.ts', lines: 2, run: 2 }],
        total_files: 1,
      },
    ]);
  },
);

test('what is no report is refused in words, and nothing is kept', long, async () => {
  const { body } = await openPull();
  const entities = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><coverage>&b;</coverage>';
  for (const [given, code, message] of [
    [{ ...body, report: 'nothing of the kind' }, 400, /^report: it contains no line in the format lcov$/],
    [{ ...body, format: 'cobertura', report: entities }, 400, /^report: .*entit/i],
    [{ ...body, format: 'clover', report: 'x' }, 400, /^format: /],
    [{ ...body, head_revision: 'main', report: lcov('a', 1) }, 400, /^head_revision: must be a commit id/],
    [{ ...body, report: lcov('a', 1), more: 1 }, 400, /more/],
    [{ ...body, repository_id: '999999', report: lcov('a', 1) }, 404, /no such repository/],
    [{ ...body, report: 'x'.repeat(20 * 1024 * 1024) }, 413, /larger than/],
  ] as const) {
    const answer = await send(given);
    assert.equal(answer.status, code, answer.text);
    assert.match([answer.json.error.message].flat().join(), message);
  }
  const whole = gzipSync(JSON.stringify({ ...body, report: lcov('a', 1) }));
  const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
  for (const [given, more, code] of [
    [whole.subarray(0, -9), { 'content-encoding': 'gzip' }, 400],
    [gzipSync('x'.repeat(21 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 413],
    [whole, {}, 400],
    [JSON.stringify({ ...body, report: lcov('a', 1) }), { 'content-type': 'text/plain' }, 415],
    [lcov('a', 1), {}, 400],
  ] as const) {
    const answer = await app.call('POST', endpoint, { body: given, headers: { ...headers, ...more } });
    assert.equal(answer.status, code, answer.text);
  }
  const { sql } = app.database;
  const kept = await sql`SELECT 1 FROM coverage_reports WHERE head_revision = ${body.head_revision}`;
  assert.equal(kept.length, 0);
});

test('an event source sends reports of its organizations, if it is one for coverage', long, async () => {
  const { shown, body } = await openPull();
  const { json: connection } = await app.operator('GET', `/operator/v1/connections/${connectionId}`);
  const acme = { provider: 'gitea', org_id: String(forge.acme.id), instance: connection.instance };
  await app.platform({
    organizations: [{ provider: 'github', provider_organization_id: '77', name: 'foreign', plan: 'pro' }],
  });
  const foreign = { provider: 'github', org_id: '77' };
  const report = { ...body, report: lcov('src/load.ts', 1, 1) };
  for (const [type, organization, status] of [
    ['postil.review_results', acme, 403],
    ['postil.coverage', foreign, 404],
    ['postil.coverage', acme, 202],
  ] as const) {
    const given = { name: 'ci', organizations: [organization], types: [type] };
    const { json } = await app.operator('POST', '/operator/v1/sources', given);
    assert.equal(shown()[0], 'neutral');
    const answer = await app.call('POST', endpoint, { key: json.value, body: report });
    assert.equal(answer.status, status, answer.text);
    await settleAll();
  }
  assert.equal(shown()[0], 'success');
});

test('postil coverage send finds out format and revision', long, async () => {
  const { git, pull, head, shown, body } = await openPull();
  await git.write({ 'lcov.info': lcov('src/load.ts', 1, 1) });
  const given = ['coverage', 'send', 'lcov.info', '--repository', body.repository_id];
  const options = {
    cwd: git.folder,
    env: { ...childEnvironment, POSTIL_URL: `http://127.0.0.1:${await portOf(app)}`, POSTIL_API_KEY: key },
  };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...given], options);
  assert.equal(
    stdout,
    `lcov.info: lcov, 1 file, for ${head.slice(0, 10)}; will be checked again: #${pull.number}\n`,
  );
  await settleAll();
  assert.equal(shown()[0], 'success');
});
