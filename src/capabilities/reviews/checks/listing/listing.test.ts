import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReviewingApp } from '../../../../../test/hosts/reviewing-app.ts';
import { organization } from '../../../../../test/sample-platform.ts';

const { app, host, forge, reviews, addRepository, deliverAll, adaKey } = await startReviewingApp();
const { sql } = app.database;
const key = await adaKey();
await sql`UPDATE members SET role = 'cr_admin' WHERE provider_user_id = ${String(forge.ada.id)}`;
const elsewhere = organization();
await app.platform({ organizations: [elsewhere] });
const stranger = await app.createKey({
  kind: 'organization',
  provider: 'github',
  org_id: elsewhere.provider_organization_id,
  owner: '9001',
});
const long = { timeout: 600_000 };

const configuration = `checks:
  title: { pattern: "^feat: ", mode: error }
  size: { max_lines: 800 }
  together: [{ name: docs, when: ["src/**"], require: ["docs/**"] }]
`;
const hour = 3_600_000;
const pass = (hours: number) => {
  app.now = new Date(app.now.getTime() + hours * hour);
};
const get = async (path: string, by = key) => {
  const { status, json, text } = await app.get(path, by);
  assert.equal(status, 200, text);
  return json;
};

test(
  'checks are listed with their evidence, measured, and told apart by who asks for them',
  long,
  async () => {
    const git = await addRepository({ '.postil.yaml': configuration });
    const id = String(git.repository.id);
    await git.git('checkout', '--quiet', '-b', 'topic');
    await git.commit({ 'src/load.ts': 'export const one = 1;\n' });
    const pull = await git.open(forge.ada, 'topic');
    await deliverAll();
    const list = (query = '', by = key) => get(`/v1/reviews/checks?repository_ids=${id}${query}`, by);
    const [row, ...others] = (await list()).data;
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...row, evaluated_at: '', checks: row.checks.slice(0, 1) },
      {
        repository_id: id,
        pull_request: pull.number,
        pr_url: row.pr_url,
        title: pull.title,
        open: true,
        head_revision: pull.commits.at(-1)!.sha,
        state: 'failure',
        evaluated_at: '',
        checks: [
          { name: 'title', verdict: 'failed', mode: 'error', text: 'The title does not match ^feat: .' },
        ],
      },
    );
    for (const [query, count] of [
      ['&state=failure', 1],
      ['&state=neutral', 0],
      ['&state=success', 0],
      ['&failed=docs', 1],
      ['&failed=title&state=failure', 1],
      ['&failed=size', 0],
    ] as const)
      assert.equal((await list(query)).data.length, count, query);
    assert.deepEqual((await list('', stranger)).data, []);

    pass(2);
    host.state.edit(pull, { title: 'feat: one' });
    await deliverAll();
    assert.equal((await list('&state=neutral')).data.length, 1);
    assert.equal((await list('&failed=title')).data.length, 0);
    pass(1);
    host.state.edit(pull, { title: 'one' });
    await deliverAll();
    pass(1);
    host.state.edit(pull, { title: 'feat: one' });
    await deliverAll();

    await sql`
    INSERT INTO check_overrides (organization_id, id, repository_id, number, head_revision, check_name, actor_id, actor_name,
      reason, comment_url, created_at)
    SELECT organization_id, gen_random_uuid(), repository_id, number, head_revision, 'title', '1', 'ada', 'agreed', '', ${app.now}
    FROM reviewed_pull_requests WHERE url = ${row.pr_url}`;
    const measures = await get(`/v1/reviews/checks/metrics?repository_ids=${id}`);
    const measured = (check: string, figures: object) => ({
      check,
      pull_requests: 1,
      failed: 0,
      failures: 0,
      overrides: 0,
      became_green: 0,
      median_hours_to_green: null,
      p90_hours_to_green: null,
      ...figures,
    });
    const twice = {
      failed: 1,
      failures: 2,
      overrides: 1,
      became_green: 1,
      median_hours_to_green: 4,
      p90_hours_to_green: 4,
    };
    assert.deepEqual(measures.total, measured('postil/checks', twice));
    assert.deepEqual(measures.data, [
      measured('docs', { failed: 1, failures: 1 }),
      measured('title', twice),
      measured('size', {}),
    ]);
    const paged = await get(`/v1/reviews/checks/metrics?repository_ids=${id}&limit=2`);
    const last = await get(
      `/v1/reviews/checks/metrics?repository_ids=${id}&limit=2&cursor=${paged.next_cursor}`,
    );
    assert.deepEqual([...paged.data, ...last.data], measures.data);
    const csv = await app.get(`/v1/reviews/checks/metrics?repository_ids=${id}&format=csv`, key);
    assert.equal(
      csv.text,
      [
        'check,pull_requests,failed,failures,overrides,became_green,median_hours_to_green,p90_hours_to_green',
        'postil/checks,1,1,2,1,1,4,4',
        'docs,1,1,1,0,0,,',
        'title,1,1,2,1,1,4,4',
        'size,1,0,0,0,0,,',
        '',
      ].join('\r\n'),
    );
    assert.deepEqual((await get('/v1/reviews/checks/metrics', stranger)).data, []);
    const yesterday = new Date(app.now.getTime() - 30 * hour).toISOString().slice(0, 10);
    const before = await get(`/v1/reviews/checks/metrics?start_date=${yesterday}&end_date=${yesterday}`);
    assert.deepEqual([before.start_date, before.data, before.total.pull_requests], [yesterday, [], 0]);
  },
);

test('what holds in a repository is told with who asks for it', long, async () => {
  const git = await addRepository({
    '.postil.yaml': 'checks:\n  size: { max_lines: 400 }\n  commits: { mode: "off", no_fixup: true }\n',
  });
  const settings = `/v1/reviews/checks/settings?repository_id=${git.repository.id}`;
  const body = {
    defaults: { checks: { size: { max_files: 10, max_lines: 900, mode: 'error' }, owners: {} } },
    enforced_checks: { size: { max_lines: 800 }, commits: { no_fixup: true, mode: 'error' } },
  };
  assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body })).status, 200);
  const early = await get(settings);
  assert.deepEqual([early.branch, early.read_at, early.branches, early.file], [null, null, [], null]);
  assert.deepEqual(
    early.checks.map(({ name }: { name: string }) => name),
    ['size', 'commits', 'owners'],
  );
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': 'export const one = 1;\n' });
  await git.open(forge.ada, 'topic');
  await deliverAll();
  const held = await get(settings);
  assert.deepEqual(
    [held.branch, held.branches, held.file, held.notes],
    ['main', ['main'], '.postil.yaml', []],
  );
  assert.equal(held.revision, await git.git('rev-parse', 'main'));
  assert.deepEqual(held.checks, [
    {
      name: 'size',
      kind: 'size',
      mode: 'error',
      mode_from: 'organization',
      settings: [
        { field: 'max_lines', value: 800, from: 'enforced' },
        { field: 'max_files', value: 10, from: 'organization' },
        { field: 'max_lines', value: 400, from: 'file' },
      ],
    },
    {
      name: 'commits',
      kind: 'commits',
      mode: 'error',
      mode_from: 'enforced',
      settings: [{ field: 'no_fixup', value: true, from: 'enforced' }],
    },
    {
      name: 'owners',
      kind: 'owners',
      mode: 'warning',
      mode_from: 'built_in',
      settings: [{ field: 'approvals', value: 1, from: 'built_in' }],
    },
  ]);
  assert.deepEqual(await get(`${settings}&branch=main`), held);
  assert.equal((await app.get(`${settings}&branch=other`, key)).status, 404);
  assert.equal((await app.get(settings, stranger)).status, 404);
});

test('one name for two checks, one of them enforced: both are shown, and both hold', long, async () => {
  const git = await addRepository({
    '.postil.yaml': `checks:
  together:
    - { name: docs, when: ["src/**"], require: ["docs/**"] }
    - { name: polite, when: ["api/**"], require: ["api.md"] }
    - { name: tests, mode: off }
`,
  });
  const body = {
    defaults: {},
    enforced_checks: {
      together: [
        { name: 'docs', when: ['api/**'], require: ['CHANGES.md'], mode: 'error' },
        { name: 'tests', when: ['src/**'], require: ['test/**'] },
      ],
      ask: [{ name: 'polite', instructions: 'Fail if comments are rude.' }],
    },
  };
  assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body })).status, 200);
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'src/load.ts': 'export const one = 1;\n', 'api/load.ts': 'export const two = 2;\n' });
  await git.open(forge.ada, 'topic');
  await deliverAll();
  const { checks } = await get(`/v1/reviews/checks/settings?repository_id=${git.repository.id}`);
  type Row = { name: string; kind: string; mode: string; mode_from: string; settings: Setting[] };
  type Setting = { field: string; value: unknown; from: string };
  assert.deepEqual(
    checks.map(({ name, kind, mode, mode_from, settings }: Row) =>
      [
        `${name} (${kind}): ${mode} of ${mode_from}`,
        ...settings.map(({ field, value, from }) => `${field} ${JSON.stringify(value)} of ${from}`),
      ].join(', '),
    ),
    [
      'docs (together): error of enforced, when ["api/**"] of enforced, require ["CHANGES.md"] of enforced',
      'docs (together): error of enforced, when ["src/**"] of file, require ["docs/**"] of file',
      'tests (together): warning of built_in, when ["src/**"] of enforced, require ["test/**"] of enforced',
      'polite (together): warning of built_in, when ["api/**"] of file, require ["api.md"] of file',
      'polite (ask): warning of built_in, instructions "Fail if comments are rude." of enforced',
    ],
  );
  const [row] = (await get(`/v1/reviews/checks?repository_ids=${git.repository.id}`)).data;
  const failed = row.checks.filter(({ verdict }: { verdict: string }) => verdict === 'failed');
  assert.deepEqual(
    failed.map(({ name, mode }: Row) => `${name} ${mode}`),
    ['docs error', 'tests warning', 'polite warning'],
  );
  const none = { defaults: {}, enforced_checks: {} };
  assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body: none })).status, 200);
});

test('where an earlier head comes back, review and summary say again what holds for it', long, async () => {
  const git = await addRepository({ '.postil.yaml': 'checks:\n  size: { max_files: 1, mode: error }\n' });
  await git.git('checkout', '--quiet', '-b', 'topic');
  await git.commit({ 'a.txt': 'a\n' });
  const pull = await git.open(forge.ada, 'topic');
  await deliverAll();
  const said = async () => {
    const [{ id }] = (await get(`/v1/reviews?repository_ids=${git.repository.id}`)).data;
    const { report } = await get(`/v1/reviews/${id}`);
    const { conversation } = reviews.pull(git.repository, pull.number);
    const summary = conversation.map(({ body }) => body).join('\n');
    return [report.checks[0].verdict, /\*\*size\*\* failed/.test(summary) ? 'failed' : 'passed'];
  };
  assert.deepEqual(await said(), ['passed', 'passed']);
  // Evaluated at the same instant as the first one.
  await git.commit({ 'b.txt': 'b\n' });
  await git.push(pull, 'topic');
  await deliverAll();
  assert.deepEqual(await said(), ['failed', 'failed']);
  pass(0.1);
  await git.git('reset', '--quiet', '--hard', 'HEAD~1');
  await git.push(pull, 'topic');
  await deliverAll();
  assert.deepEqual(await said(), ['passed', 'passed']);
});

test(
  'measures are of the days that were asked for, both included, in UTC; pages of CSV are one table',
  long,
  async () => {
    const git = await addRepository();
    const id = String(git.repository.id);
    const rows = [
      [1, '2026-02-28T23:59:59.999Z'],
      [2, '2026-03-01T00:00:00Z'],
      [3, '2026-03-02T23:59:59.999Z'],
      [4, '2026-03-03T00:00:00Z'],
    ] as const;
    for (const [number, at] of rows) {
      await sql`
      INSERT INTO reviewed_pull_requests (organization_id, repository_id, number, url, state, is_draft, head_revision, facts, read_at)
      SELECT organization_id, id, ${number}, 'u', 'open', false, 'h', '{"title": "x"}', ${at}::timestamptz
      FROM repositories WHERE provider_repository_id = ${id}`;
      // Each took an hour longer than the one before, and the second check never failed.
      await sql`
      INSERT INTO check_records (organization_id, repository_id, number, check_name, first_at, failures, failed_at, held_at)
      SELECT organization_id, id, ${number}, check_name, ${at}::timestamptz, (check_name <> 'size')::integer,
        CASE WHEN check_name <> 'size' THEN ${at}::timestamptz END, ${at}::timestamptz + ${number} * interval '1 hour'
      FROM repositories, unnest('{postil/checks,title,size}'::text[]) check_name WHERE provider_repository_id = ${id}`;
      await sql`
      INSERT INTO check_overrides (organization_id, id, repository_id, number, head_revision, check_name, actor_id, actor_name,
        reason, comment_url, created_at)
      SELECT organization_id, gen_random_uuid(), id, ${number}, 'h', 'title', '1', 'ada', 'agreed', '', ${at}::timestamptz
      FROM repositories WHERE provider_repository_id = ${id}`;
    }
    const path = `/v1/reviews/checks/metrics?repository_ids=${id}`;
    for (const [start, end, pulls, overrides, hours] of [
      ['2026-02-28', '2026-02-28', 1, 1, 1],
      ['2026-03-01', '2026-03-01', 1, 1, 2],
      ['2026-03-01', '2026-03-02', 2, 2, 2.5],
      ['2026-03-02', '2026-03-03', 2, 2, 3.5],
      ['2026-02-28', '2026-03-03', 4, 4, 2.5],
      ['2026-03-04', '2026-03-04', 0, 0, null],
    ] as const) {
      const { total, data } = await get(`${path}&start_date=${start}&end_date=${end}`);
      const figures = [total.pull_requests, total.failed, total.overrides, total.median_hours_to_green];
      assert.deepEqual(figures, [pulls, pulls, overrides, hours], `${start} to ${end}`);
      const checks = data.map(({ check, failed }: { check: string; failed: number }) => [check, failed]);
      assert.deepEqual(
        checks,
        pulls === 0
          ? []
          : [
              ['title', pulls],
              ['size', 0],
            ],
      );
    }
    const days = 'start_date=2026-03-01&end_date=2026-03-02&format=csv';
    const whole = await app.get(`${path}&${days}`, key);
    let table = '';
    for (let next: string | undefined = `${path}&${days}&limit=1`; next !== undefined; ) {
      const { status, text, headers } = await app.get(next, key);
      assert.equal(status, 200, text);
      table += table === '' ? text : text.slice(text.indexOf('\r\n') + 2);
      next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    }
    assert.equal(table, whole.text);
    assert.deepEqual(whole.text.split('\r\n').slice(1), [
      'postil/checks,2,2,2,2,2,2.5,2.9',
      'title,2,2,2,2,2,2.5,2.9',
      'size,2,0,0,0,0,,',
      '',
    ]);
  },
);

test('a window that is reversed or too long is refused', async () => {
  for (const query of [
    'start_date=2026-02-02&end_date=2026-02-01',
    'start_date=2024-01-01&end_date=2026-01-01',
  ])
    assert.equal((await app.get(`/v1/reviews/checks/metrics?${query}`, key)).status, 400);
  for (const path of ['', '/findings', '/overrides', '/checks/metrics']) {
    const { status, text } = await app.get(
      `/v1/reviews${path}?start_date=2026-06-02&end_date=2026-06-01`,
      key,
    );
    assert.equal(status, 400, path);
    assert.match(text, /end_date: must not precede start_date/, path);
  }
});
