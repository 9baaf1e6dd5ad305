import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { GitHubDouble } from '../../../test/hosts/github/github-double.ts';
import { startTalkingApp } from '../../../test/hosts/talking-app.ts';
import { type Script, startScriptedModel } from '../../../test/models/scripted-model.ts';

let script: Script = () => ({ answer: { summary: 'Fine.', findings: [] } });
const model = await startScriptedModel('openai', (asked) => script(asked));
const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
const { app, double, forge, key, answersOn, openPull, say, reply } = await startTalkingApp(
  new GitHubDouble(),
  'github',
  {
    settings: {
      model: { ...model.settings, priceIn: 10, priceOut: 10 },
      reviewLimits: { maxTokens: 200_000, maxSeconds: 60 },
    },
  },
);
await app.platform({
  organizations: [
    {
      provider: 'github',
      provider_organization_id: String(forge.acme.id),
      instance: 'the-host',
      members: [{ user_id: String(forge.ada.id), username: 'ada', role: 'cr_admin' }],
    },
  ],
});
beforeEach(() => app.resetLimits());
const long = { timeout: 600_000 };
const lookingTools = [
  'read_file',
  'search_code',
  'find_definition',
  'find_references',
  'list_files',
  'file_history',
];
const isForLooking = (name: string) => name !== 'json';
const isQuestion = (instructions: string) => instructions.includes('You answer a question');

test(
  'with a model, a question is answered once in its thread, without secrets, within the budget',
  long,
  async () => {
    const { pull } = await openPull({ isAutomatic: true });
    const [root] = double.state.threads(pull)[0]!;
    script = ({ instructions }) =>
      isQuestion(instructions)
        ? { answer: { answer: `Because @ada said ${secret} at https://evil.test/.` } }
        : { answer: { summary: 'Fine.', findings: [] } };
    const asked = () => model.calls.filter(({ instructions }) => isQuestion(instructions));
    const answers = await reply(
      pull,
      forge.ben,
      root!,
      `@postil-bot why is that unsafe? My token is ${secret}`,
    );
    assert.deepEqual(answers, ['Because ada said [REDACTED] at (link removed)']);
    assert.equal(asked().length, 1);
    const { data, body, tools } = asked()[0]!;
    assert.match(data, /\+export function load/, 'the change is shown');
    assert.match(data, /reviewer: /, 'and what was said before');
    assert.doesNotMatch(JSON.stringify(body), /ghp_a1B2/);
    assert.deepEqual(tools.filter(isForLooking), lookingTools);
    const thread = double.state.threads(pull)[0]!;
    assert.equal(thread.filter(({ body: text }) => text.startsWith('<!-- postil:answer')).length, 1);

    const [used] = await app.database.sql`SELECT * FROM addressed_comments WHERE calls > 0`;
    assert.deepEqual([used!.model, used!.calls], ['scripted-1', 1]);
    assert.ok(used!.cost_usd > 0 && used!.input_tokens > 0);
    const settings = { budget_usd_per_month: used!.cost_usd / 2 };
    assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body: settings })).status, 200);
    const refused = await say(pull, forge.ben, '@postil-bot and now?');
    assert.match(refused[0]!, /budget for the model is used up/);
    assert.equal(asked().length, 1);
  },
);

test(
  'an answer can rest on the repository: code around the change is shown, and looked up with the tools of a review, without secrets',
  long,
  async () => {
    const body = { budget_usd_per_month: null };
    assert.equal((await app.call('PUT', '/v1/settings/reviews', { key, body })).status, 200);
    const { pull } = await openPull({
      base: {
        'src/use.ts': "import { load } from './load.ts';\nexport const used = load('1');\n",
        'src/keys.ts': `export const KEY = '${secret}';\n`,
        'AGENTS.md': 'Amounts are in cents.\n',
      },
    });
    script = ({ instructions, toolAnswers }) => {
      if (!isQuestion(instructions)) return { answer: { summary: 'Fine.', findings: [] } };
      if (toolAnswers.length > 0) return { answer: { answer: 'It is used once.' } };
      return {
        toolCalls: [
          { name: 'read_file', input: { path: 'src/keys.ts' } },
          { name: 'read_file', input: { path: '../../../etc/passwd' } },
        ],
      };
    };
    const { length } = model.calls;
    assert.deepEqual(await say(pull, forge.ben, '@postil-bot who uses it?'), ['It is used once.']);
    const [first, second] = model.calls.slice(length);
    assert.match(first!.data, /src\/use\.ts.*export const used = load/s, 'who uses it is shown');
    assert.match(first!.data, /guidelines of the maintainers.*Amounts are in cents/s);
    const [keys, outside] = second!.toolAnswers;
    assert.match(keys!, /^<<<.*export const KEY = '\[REDACTED\]'.*>>>$/s);
    assert.doesNotMatch(outside!, /root:/);
    assert.doesNotMatch(JSON.stringify(second!.body), /ghp_a1B2/);
  },
);

test(
  'a summary that a run wrote while a question was answered stays, with the notice of a pause',
  long,
  async () => {
    const { pull } = await openPull({ isAutomatic: true });
    const summary = pull.comments.find(({ body }) => body.startsWith('<!-- postil:summary'))!;
    const newer = summary.body.replace('\n\n', '\n\nOf the newest commit.\n\n');
    script = () => {
      summary.body = newer;
      return { answer: { answer: 'Because.' } };
    };
    // Both are read together, and the question is answered first.
    double.state.comment(pull, forge.ben, '@postil-bot why is that unsafe?');
    const [, paused] = await say(pull, forge.ben, '@postil-bot pause');
    assert.match(paused!, /are paused/);
    assert.match(summary.body, /Of the newest commit\./);
    assert.match(summary.body, /are paused/);
  },
);

test(
  'where the model is turned off, a question is answered so, and the model is not asked',
  long,
  async () => {
    const set = async (defaults: unknown) =>
      assert.equal(
        (
          await app.call('PUT', '/v1/settings/reviews', {
            key,
            body: { defaults, budget_usd_per_month: null },
          })
        ).status,
        200,
      );
    await set({ reviews: { model: { enabled: false } } });
    const { length } = model.calls;
    const { pull } = await openPull();
    assert.match(
      (await say(pull, forge.ben, '@postil-bot what does it do?'))[0]!,
      /cannot answer questions because the model is turned off for this repository/,
    );
    assert.equal(model.calls.length, length);
    await set({});
  },
);

test(
  'a model that fails is not made up for, and members without a seat do not cost anything',
  long,
  async () => {
    const reset = await app.call('PUT', '/v1/settings/reviews', {
      key,
      body: { budget_usd_per_month: null },
    });
    assert.equal(reset.status, 200, reset.text);
    const { pull } = await openPull();
    script = () => ({ answer: 'no object' });
    assert.match((await say(pull, forge.ben, '@postil-bot what does it do?'))[0]!, /could not get an answer/);
    const { length } = model.calls;
    const { sql } = app.database;
    await sql`UPDATE organizations SET seat_assignment_mode = 'manual' WHERE provider_organization_id = ${String(forge.acme.id)}`;
    await sql`UPDATE members SET seat = false WHERE provider_user_id = ${String(forge.ben.id)}`;
    assert.match((await say(pull, forge.ben, '@postil-bot what does it do?'))[0]!, /no seat/);
    assert.equal(model.calls.length, length);
    assert.equal(answersOn(pull).length, 2);
  },
);
