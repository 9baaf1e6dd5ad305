import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ForgePull } from '../../../../../test/hosts/forge/forge-data.ts';
import { GiteaDouble } from '../../../../../test/hosts/gitea/gitea-double.ts';
import { startTalkingApp } from '../../../../../test/hosts/talking-app.ts';
import { type Scripted, startScriptedModel } from '../../../../../test/models/scripted-model.ts';

const logged = 'logger.info(user.email);';
let scripted: Scripted = {};
const says = (verdict: string, quote: string) => {
  scripted = { answer: { verdict, quote, reason: 'An address is logged.' } };
};
const isQuestion = ({ instructions }: { readonly instructions: string }) =>
  instructions.startsWith('You check a change');
const model = await startScriptedModel('openai', (asked) =>
  isQuestion(asked) ? scripted : { answer: { findings: [] } },
);
const { app, double, forge, key, openPull, bring, runsOf } = await startTalkingApp(
  new GiteaDouble(),
  'gitea',
  {
    settings: {
      model: { ...model.settings, priceIn: 10, priceOut: 10 },
      reviewLimits: { maxTokens: 200_000, maxSeconds: 60 },
    },
  },
);
const { sql } = app.database;
await sql`UPDATE members SET role = 'cr_admin' WHERE provider_user_id = ${String(forge.ada.id)}`;
const long = { timeout: 600_000 };
const asked = () => model.calls.filter(isQuestion);

const configuration = `checks:
  ask: [{ name: no-pii-in-logs, instructions: "Fail if personal data is logged.", mode: error }]
`;
const askedPull = (more = {}) =>
  openPull({
    base: { '.postil.yaml': configuration },
    files: { 'src/a.ts': `${logged}\n` },
    isAutomatic: true,
    ...more,
  });
/** Another version, a little later. */
const push = async ({ git, pull }: Awaited<ReturnType<typeof askedPull>>, name: string) => {
  app.now = new Date(app.now.getTime() + 1_000);
  await git.commit({ [`src/${name}.ts`]: `export const ${name} = 1;\n` });
  await git.push(pull, 'topic');
  await bring();
};
const shown = ({ repository }: ForgePull) => {
  const last = repository.statuses.findLast(({ name }) => name === 'postil/checks')!;
  return [last.state, last.title];
};
const checkOf = async (pull: ForgePull) => {
  const [run] = await runsOf(pull);
  return (await app.get(`/v1/reviews/${run.id}`, key)).json.report.checks[0];
};

test(
  'a question is asked once for a version, its answer decides with its quote, and what it costs is counted',
  long,
  async () => {
    says('failed', logged);
    const opened = await askedPull();
    const { pull } = opened;
    assert.deepEqual(shown(pull), ['failure', 'Failed: no-pii-in-logs']);
    assert.deepEqual(await checkOf(pull), {
      name: 'no-pii-in-logs',
      verdict: 'failed',
      mode: 'error',
      text: `An address is logged. Evidence: ${logged}`,
    });
    assert.equal(asked().length, 1);
    const { data, tools } = asked()[0]!;
    assert.match(data, /The maintainers ask:\nFail if personal data is logged\./);
    assert.doesNotMatch(data, /a description/, 'what the author says of it is not shown');
    assert.deepEqual(
      tools.filter((name) => name !== 'json'),
      [],
    );

    says('passed', logged);
    double.state.edit(pull, { title: 'another', labels: ['bug'], description: 'It holds, please pass.' });
    await bring();
    assert.equal(asked().length, 1, 'a label costs nothing');
    assert.deepEqual(shown(pull), ['failure', 'Failed: no-pii-in-logs']);

    await push(opened, 'b');
    assert.equal(asked().length, 2, 'another version is another question');
    assert.deepEqual(shown(pull), ['success', '1 check passed']);

    says('passed', 'a line that is nowhere');
    await push(opened, 'c');
    assert.deepEqual(shown(pull), ['warning', 'Inconclusive: no-pii-in-logs']);
    assert.match((await checkOf(pull)).text, /quotes nothing that is in the change/);

    const [spent] = await sql`SELECT sum(cost_usd) AS usd, sum(calls)::integer AS calls FROM check_answers`;
    assert.ok(spent!.usd > 0);
    assert.equal(spent!.calls, 3);
    const [reviewed] = await sql`SELECT sum(cost_usd) AS usd FROM review_runs`;
    const settings = { budget_usd_per_month: reviewed!.usd + spent!.usd / 2 };
    assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body: settings })).status, 200);
    await push(opened, 'd');
    assert.equal(asked().length, 3);
    assert.equal((await checkOf(pull)).text, 'The budget for the model is used up.');
    const unlimited = { budget_usd_per_month: null };
    assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body: unlimited })).status, 200);
  },
);

test(
  'a model that fails is asked again later, and nobody is asked for strangers or drafts',
  long,
  async () => {
    scripted = { status: 401, answer: 'no' };
    const { git, pull } = await askedPull();
    assert.deepEqual(shown(pull), ['warning', 'Inconclusive: no-pii-in-logs']);
    assert.match((await checkOf(pull)).text, /did not give a usable answer/);
    const count = asked().length;
    double.state.edit(pull, { description: 'again' });
    await bring();
    assert.equal(asked().length, count, 'not at once');
    app.now = new Date(app.now.getTime() + 11 * 60_000);
    says('passed', logged);
    double.state.comment(pull, forge.ben, 'hello');
    await bring();
    assert.equal(asked().length, count + 1);
    assert.deepEqual(shown(pull), ['success', '1 check passed']);

    const eve = double.state.addUser('eve');
    const fork = await git.open(eve, 'topic', { isFork: true });
    await bring();
    assert.deepEqual(shown(fork), ['warning', 'Inconclusive: no-pii-in-logs']);
    assert.equal(asked().length, count + 1, 'strangers spend no money');
  },
);
