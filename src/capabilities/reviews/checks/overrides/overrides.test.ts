import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ForgePull } from '../../../../../test/hosts/forge/forge-data.ts';
import { GiteaDouble } from '../../../../../test/hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../../../../../test/hosts/talking-app.ts';
import { organization } from '../../../../../test/sample-platform.ts';

const { app, double, forge, key, openPull, say, bring, answersOn, runsOf } = await startTalkingApp(
  new GiteaDouble(),
  'gitea',
);
const { sql } = app.database;
await sql`UPDATE members SET role = 'cr_admin' WHERE provider_user_id = ${String(forge.ada.id)}`;
double.state.now = app.now;
const long = { timeout: 600_000 };

const configuration = `checks:
  title: { pattern: "^feat: ", mode: error }
  size: { max_lines: 1, mode: error }
  coverage: { changed_lines: 80, mode: "off" }
`;
const checkedPull = (more = {}) =>
  openPull({ base: { '.postil.yaml': configuration }, isAutomatic: true, ...more });

const shown = ({ repository }: ForgePull) => {
  const last = repository.statuses.findLast(({ name }) => name === 'postil/checks')!;
  return [last.state, last.title];
};
const overridesOf = async ({ repository }: ForgePull, query = '', by = key) => {
  const { status, json, text } = await app.get(
    `/v1/reviews/overrides?repository_ids=${repository.id}${query}`,
    by,
  );
  assert.equal(status, 200, text);
  return json.data;
};
const auditedOf = async ({ repository, number }: ForgePull) => [
  ...(await sql`
    SELECT actor_name AS actor, metadata FROM audit_entries
    WHERE action = 'pull_request.check_overridden' AND resource_id = ${`${repository.id}/${number}`}`),
];
const nothing = (reason: string) => [`I overrode nothing. ${reason}`];

test(
  'an admin overrides a check with a reason: it counts as passed, is shown and audited, and ends with the next commit',
  long,
  async () => {
    const { git, pull } = await checkedPull();
    assert.deepEqual(shown(pull), ['failure', 'Failed: title, size']);
    const head = pull.commits.at(-1)!.sha;
    // Delivered three times, it is carried out once.
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot override `Title`: agreed with @ben, see http://x.test', 3),
      [`I overrode \`title\` for \`${head.slice(0, 10)}\`. It counts as passed until the next commit.`],
    );
    assert.deepEqual(shown(pull), ['failure', 'Failed: size']);
    const reason = 'agreed with @ben, see http://x.test';
    const [first, ...others] = await overridesOf(pull);
    assert.deepEqual(others, []);
    assert.deepEqual(
      { ...first, id: '', pr_url: '', comment_url: '', created_at: '' },
      {
        id: '',
        repository_id: String(pull.repository.id),
        pull_request: pull.number,
        pr_url: '',
        head_revision: head,
        check: 'title',
        reason,
        actor: { id: String(forge.ada.id), username: 'ada' },
        comment_url: '',
        created_at: '',
        ended_at: null,
      },
    );
    assert.match(first.comment_url, /#issuecomment-\d+$/);
    assert.deepEqual(await auditedOf(pull), [
      {
        actor: 'ada',
        metadata: { check: 'title', reason, head_revision: head, comment: first.comment_url },
      },
    ]);

    assert.deepEqual(await say(pull, forge.ada, '@postil-bot override title for another reason'), [
      '`title` is overridden for this version already, by `ada`.',
    ]);
    await say(pull, forge.ada, '@postil-bot override size\nit is generated');
    assert.deepEqual(shown(pull), ['success', 'Overridden: title, size']);
    const [run] = await runsOf(pull);
    const { report } = (await app.get(`/v1/reviews/${run.id}`, key)).json;
    const [title] = report.checks;
    assert.deepEqual(
      { ...title, overridden: { ...title.overridden, at: '' } },
      {
        name: 'title',
        verdict: 'passed',
        mode: 'error',
        text: `Overridden by ada: ${reason}`,
        overridden: {
          by: 'ada',
          reason,
          at: '',
          verdict: 'failed',
          text: 'The title does not match ^feat: .',
        },
      },
    );
    const summary = pull.comments.find(({ body }) => body.startsWith('<!-- postil:summary'))!.body;
    assert.match(summary, /- \*\*size\*\* overridden by ada: it is generated\n/);
    assert.doesNotMatch(summary, /@ben|http:\/\/x/);

    await git.commit({ 'src/more.ts': 'export const more = 1;\n' });
    await git.push(pull, 'topic');
    await bring();
    assert.deepEqual(shown(pull), ['failure', 'Failed: title, size']);
    assert.ok((await overridesOf(pull)).every((one: { ended_at: string }) => one.ended_at !== null));
    await git.git('reset', '--quiet', '--hard', 'HEAD~1');
    await git.push(pull, 'topic');
    await bring();
    assert.deepEqual(shown(pull), ['failure', 'Failed: title, size'], 'it ended, whatever comes back');
    assert.equal((await overridesOf(pull)).length, 2);
  },
);

test(
  'who may not, what does not exist and what says no reason gets an answer, and changes nothing',
  long,
  async () => {
    const { git, pull } = await checkedPull();
    assert.deepEqual(
      await say(pull, forge.ben, '@postil-bot override title because'),
      nothing('Only admins of this organization may do that.'),
    );
    const which = 'Say which check it is, after `override`: `title`, `size`.';
    const cases = [
      ['', which],
      [' coverage it is off', which],
      [' title', 'Say why, after `title`.'],
      [' size ...', 'Say why, after `size`.'],
      [` title ${'x'.repeat(501)}`, 'The reason may have at most 500 characters.'],
    ] as const;
    assert.deepEqual(
      await say(pull, forge.ada, cases.map(([said]) => `@postil-bot override${said}`).join('\n')),
      [cases.map(([, answer]) => nothing(answer)).join('\n\n')],
    );
    const eve = double.state.addUser('eve');
    assert.deepEqual(await say(pull, eve, '@postil-bot override title because'), [
      'Only members of this organization can talk to me.',
    ]);
    const robot = double.state.addUser('robot[bot]');
    assert.deepEqual(await say(pull, robot, '@postil-bot override title because'), []);
    assert.deepEqual(await say(pull, forge.ada, '> @postil-bot override title because'), []);
    const plain = double.state.comment(pull, forge.ada, 'hello');
    await bring();
    const before = answersOn(pull).length;
    double.state.editComment(pull, plain, '@postil-bot override title because');
    await bring();
    assert.deepEqual(
      answersOn(pull).slice(before),
      nothing(
        'Your comment was edited, and I cannot tell by whom. Say it in a new comment if it is what you mean.',
      ),
    );

    // What was said before a commit is not about it, however late it is read.
    const { now } = double.state;
    double.state.now = new Date(app.now.getTime() - 3_600_000);
    await git.commit({ 'src/more.ts': 'export const more = 1;\n' });
    await git.push(pull, 'topic');
    await bring();
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot override title because'),
      nothing('There was another commit after your comment. Say it again if you mean that one, too.'),
    );
    double.state.now = now;
    double.state.end(pull, 'closed');
    await bring();
    assert.deepEqual(
      await say(pull, forge.ada, '@postil-bot override title because'),
      nothing('This pull request is closed.'),
    );
    assert.deepEqual([await overridesOf(pull), await auditedOf(pull)], [[], []]);
    assert.deepEqual(shown(pull), ['failure', 'Failed: title, size']);
  },
);

test('on a pull request from a fork an admin overrides, its author does not', long, async () => {
  const { git } = await checkedPull();
  const eve = double.state.addUser('eve');
  const pull = await git.open(eve, 'topic', { isFork: true });
  await bring();
  assert.deepEqual(await say(pull, eve, '@postil-bot override title because'), [
    'Only members of this organization can talk to me.',
  ]);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await say(pull, forge.ada, `@postil-bot override title it works with ${secret}`);
  const [found] = await overridesOf(pull);
  assert.equal(found.pull_request, pull.number);
  assert.match(found.reason, /^it works with (?!ghp_)/);
});

test('overrides are listed by check and page by page, of the own organization only', long, async () => {
  const { pull } = await checkedPull();
  await say(pull, forge.ada, '@postil-bot override title one\n@postil-bot override size two');
  const all = await overridesOf(pull);
  assert.deepEqual(all.map(({ check }: { check: string }) => check).sort(), ['size', 'title']);
  assert.equal((await overridesOf(pull, '&check=size')).length, 1);
  assert.equal((await overridesOf(pull, '&start_date=2020-01-01&end_date=2020-12-31')).length, 0);
  const page = async (cursor = '') =>
    (await app.get(`/v1/reviews/overrides?repository_ids=${pull.repository.id}&limit=1${cursor}`, key)).json;
  const first = await page();
  const second = await page(`&cursor=${first.next_cursor}`);
  assert.deepEqual([...first.data, ...second.data], all);
  assert.equal(second.next_cursor, null);
  await app.platform({ organizations: [organization({ provider_organization_id: '3001' })] });
  const foreign = await app.createKey({ kind: 'user', provider: 'github', org_id: '3001', owner: '9001' });
  assert.deepEqual(await overridesOf(pull, '', foreign), []);
  assert.equal(
    (await app.get('/v1/reviews/overrides?start_date=2026-02-01&end_date=2026-01-01', key)).status,
    400,
  );
  assert.equal((await app.get('/v1/reviews/overrides?who=ada', key)).status, 400);
});
