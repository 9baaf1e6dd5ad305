import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Script, startScriptedModel } from '../../test/models/scripted-model.ts';
import { anyAddress } from '../outbound/address-guard.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { ModelSettings } from '../reviewer/model/model-settings.ts';
import type { ModelTool, Question } from '../reviewer/model/question.ts';
import { type ClientOptions, createModelClient } from './model-client.ts';

const outbound = createOutbound(anyAddress);
after(() => outbound.close());

const schema: Question['schema'] = {
  type: 'object',
  properties: { word: { type: 'string' } },
  required: ['word'],
  additionalProperties: false,
};
const question: Question = { instructions: 'Say a word.', data: 'data', schema, maxOutputTokens: 500 };
const kinds = ['openai', 'anthropic'] as const;

async function ask(
  kind: ModelSettings['kind'],
  script: Script,
  asked: Partial<Question> = {},
  options: Partial<ClientOptions> & { signal?: AbortSignal } = {},
) {
  const model = await startScriptedModel(kind, script);
  const client = createModelClient(model.settings, outbound, {
    deadline: Date.now() + 60_000,
    firstPauseMs: 1,
    ...options,
  });
  const signal = options.signal ?? new AbortController().signal;
  return { ...model, client, reply: await client.ask({ ...question, ...asked }, signal) };
}

for (const kind of kinds) {
  test(`${kind}: an answer has its token counts, and the key is sent`, async () => {
    const { reply, calls } = await ask(kind, () => ({
      answer: { word: 'yes' },
      usage: { input: 123, output: 45 },
    }));
    assert.deepEqual(JSON.parse(reply.text), { word: 'yes' });
    assert.deepEqual(
      { ...reply, text: '' },
      {
        text: '',
        isWhole: true,
        fault: undefined,
        isHopeless: false,
        tokens: { inputTokens: 123, outputTokens: 45 },
        calls: 1,
      },
    );
    assert.equal(calls.length, 1);
    assert.equal(calls[0]!.instructions.includes('Say a word.'), true);
    assert.match(calls[0]!.data, /data/);
    const { authorization, 'x-api-key': key } = calls[0]!.headers;
    assert.equal(
      kind === 'openai' ? authorization : key,
      kind === 'openai' ? 'Bearer key-of-the-operator' : 'key-of-the-operator',
    );
    assert.ok(JSON.stringify(calls[0]!.body).includes('"word"'), 'the schema is sent');
  });

  test(`${kind}: a request to a busy server is retried after the pause it asks for`, async () => {
    const { reply, calls } = await ask(kind, ({ number }) => {
      if (number === 1) return { status: 429, headers: { 'retry-after': '0' } };
      if (number === 2) return { status: 503 };
      return { answer: { word: 'late' } };
    });
    assert.match(reply.text, /late/);
    assert.equal(calls.length, 3);
  });

  test(`${kind}: a pause beyond the deadline means no retry`, async () => {
    const { reply, calls } = await ask(kind, () => ({ status: 429, headers: { 'retry-after': '3600' } }));
    assert.match(reply.fault!, /429/);
    assert.equal(calls.length, 1);
    assert.equal(reply.isHopeless, false);
  });

  test(`${kind}: the part of an answer before a stall is kept`, async () => {
    const { reply } = await ask(
      kind,
      () => ({ answer: { word: 'a long word that never ends' }, stallAfter: 20 }),
      {},
      { idleTimeoutMs: 10_000 },
    );
    assert.equal(reply.isWhole, false);
    assert.ok(reply.text.startsWith('{"word":"a long'), reply.text);
    assert.match(reply.fault!, /stopped answering/);
    assert.ok(reply.tokens.outputTokens > 0, 'a stalled answer costs too');
  });

  test(`${kind}: the part of an answer before the connection broke is kept`, async () => {
    const { reply } = await ask(kind, () => ({ answer: { word: 'a long word that ends' }, breakAfter: 20 }));
    assert.equal(reply.isWhole, false);
    assert.ok(reply.text.startsWith('{"word":"a long'), reply.text);
    assert.ok(reply.fault !== undefined);
  });

  test(`${kind}: an answer that was cut off at its maximum length is not whole`, async () => {
    const { reply } = await ask(kind, () => ({ answer: { word: 'abc' }, cutAfter: 9, finish: 'length' }));
    assert.equal(reply.text, '{"word":"');
    if (kind === 'openai') assert.equal(reply.isWhole, false);
  });

  test(`${kind}: a refusal is reported once, in fixed words and not in those of the server`, async () => {
    const key = `sk-ant-api03-${'Ab1'.repeat(31)}-${'Cd2'.repeat(2)}AA`;
    const { reply, calls } = await ask(kind, () => ({ status: 401, answer: `wrong key ${key}` }));
    assert.equal(calls.length, 1);
    assert.equal(reply.fault, 'its server answered 401, the key is refused');
    assert.equal(reply.isHopeless, true);
    assert.deepEqual(reply.tokens, { inputTokens: 0, outputTokens: 0 });
  });

  test(`${kind}: a server that does not stream works`, async () => {
    const { reply, client, calls } = await ask(kind, () => ({ answer: { word: 'whole' }, isSilent: true }));
    assert.match(reply.text, /whole/);
    assert.equal(reply.isWhole, true);
    await client.ask(question, new AbortController().signal);
    assert.equal(calls.length, 3, 'it is remembered');
  });

  test(`${kind}: tools are called up to the maximum number of rounds, then the model must answer`, async () => {
    const inputs: unknown[] = [];
    const tool: ModelTool = {
      name: 'look_up',
      description: 'Looks something up.',
      inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
      async run(input) {
        inputs.push(input);
        return `answer ${inputs.length}`;
      },
    };
    const { reply, calls } = await ask(
      kind,
      ({ tools, toolAnswers }) =>
        tools.includes('look_up')
          ? { toolCalls: [{ name: 'look_up', input: { key: String(toolAnswers.length) } }] }
          : { answer: { word: 'done' } },
      { tools: [tool], maxRounds: 2 },
    );
    assert.deepEqual(inputs, [{ key: '0' }, { key: '1' }]);
    assert.deepEqual(calls.at(-1)!.toolAnswers, ['answer 1', 'answer 2']);
    assert.match(reply.text, /done/);
    assert.equal(reply.calls, 3);
  });

  test(`${kind}: a caller can abort an answer`, async () => {
    const giveUp = new AbortController();
    const asking = ask(
      kind,
      () => {
        setTimeout(() => giveUp.abort(), 200);
        return { answer: { word: 'never' }, stallAfter: 12 };
      },
      {},
      { signal: giveUp.signal },
    );
    const { reply } = await asking;
    assert.equal(reply.isWhole, false);
  });
}

test('a server that rejects schemas, or requires the newer name of the limit, is asked again accordingly', async () => {
  const { reply, calls } = await ask('openai', ({ body }) => {
    if (body.max_tokens !== undefined)
      return { status: 400, answer: 'max_tokens is not supported, use max_completion_tokens' };
    if (body.response_format !== undefined)
      return { status: 400, answer: 'response_format is not supported' };
    return { answer: { word: 'plain' }, usage: null };
  });
  assert.match(reply.text, /plain/);
  assert.equal(calls.length, 3);
  assert.equal(calls[2]!.body.max_completion_tokens, 500);
  assert.ok(reply.tokens.inputTokens > 0, 'where usage is not reported it is estimated');
});

test('an unreachable server is an error, not a crash', async () => {
  const settings: ModelSettings = {
    url: 'http://127.0.0.1:1/v1',
    name: 'nobody',
    apiKey: undefined,
    kind: 'openai',
    priceIn: 0,
    priceOut: 0,
  };
  const client = createModelClient(settings, outbound, { deadline: Date.now() + 60_000, firstPauseMs: 1 });
  const reply = await client.ask(question, new AbortController().signal);
  assert.match(reply.fault!, /127\.0\.0\.1:1/);
  assert.equal(reply.text, '');
});
