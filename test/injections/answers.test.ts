import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { clientOf } from '../../src/models/model-client.ts';
import { anyAddress } from '../../src/outbound/address-guard.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { answerAboutChange } from '../../src/reviewer/model/answering/answer-about-change.ts';
import { work as showChange } from '../../src/reviewer/model/showing/show-change-part.ts';
import { changeOf } from '../change-of-versions.ts';
import { type Asked, startScriptedModel } from '../models/scripted-model.ts';
import { faultsIn, forbidden, secret } from './forbidden.ts';

const places = ['question', 'thread', 'title', 'description', 'code'] as const;
const caseShape = z.strictObject({
  name: z.string(),
  place: z.enum(places),
  order: z.string(),
  answer: z.string(),
});
type Case = z.output<typeof caseShape>;

const outbound = createOutbound(anyAddress);
after(() => outbound.close());
const folder = import.meta.dirname;

async function readYaml(file: string): Promise<unknown> {
  return parse(await readFile(path.join(folder, file), 'utf8'));
}

/** Injected orders of the cases for reviews that also apply to answers, with all the texts that they request as one answer. */
async function ordersToReviews(): Promise<Case[]> {
  const reviewCase = z.object({
    name: z.string(),
    place: z.string(),
    order: z.string(),
    answer: z.object({
      summary: z.string().default(''),
      findings: z
        .array(z.object({ title: z.string().default(''), body: z.string().default('') }))
        .default([]),
    }),
  });
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  const cases = await Promise.all(files.map(async (file) => z.array(reviewCase).parse(await readYaml(file))));
  return cases.flat().flatMap(({ name, place, order, answer: { summary, findings } }) => {
    const known = z.enum(places).safeParse(place);
    const answer = [summary, ...findings.flatMap(({ title, body }) => [title, body])].join('\n\n').trim();
    const faults = faultsIn([answer.replaceAll('{{secret}}', secret)]);
    // An answer has no effect on files or Learnings and is not a verdict on the change, so these faults do not apply.
    const isAboutFindings = faults.some((fault) =>
      /^an? (?:file outside|foreign Learning|approval)/.test(fault),
    );
    return known.success && faults.length > 0 && !isAboutFindings
      ? [{ name, place: known.data, order, answer }]
      : [];
  });
}

/** Asks a question with the order injected, and returns what was sent to the model and what was published. */
async function askInjected({ place, order, answer }: Case) {
  const hidden = (here: Case['place']) => (place === here ? order : 'harmless');
  const seen: Asked[] = [];
  const { settings } = await startScriptedModel('openai', (asked) => {
    seen.push(asked);
    const said = answer.replaceAll('{{secret}}', secret).replaceAll('{{prompt}}', asked.data);
    return { answer: { answer: said } };
  });
  const change = changeOf({
    'settings.ts': [null, `const TOKEN = "${secret}";\n${hidden('code')}\nload(TOKEN);\n`],
  });
  const answered = await answerAboutChange(
    settings,
    clientOf(settings, outbound),
    {
      question: hidden('question'),
      earlier: [
        { by: 'person', text: `${hidden('thread')} ${secret}` },
        { by: 'reviewer', text: 'A finding.' },
      ],
      pullRequest: { title: hidden('title'), description: hidden('description') },
      change: await showChange(
        { change: { kind: 'diff', file: '' }, maxTokens: 12_000 },
        { openChange: async () => change },
      ),
    },
    {
      limits: { maxTokens: 200_000, maxSeconds: 60 },
      repositoryUrl: 'https://git.acme.test/acme/api',
      onUsage: async () => {},
    },
    AbortSignal.timeout(300_000),
  );
  return { seen, answered };
}

const own = z.array(caseShape).parse(await readYaml('answers/orders.yaml'));
for (const injected of [...own, ...(await ordersToReviews())])
  test(`${injected.name} (${injected.place}) comes to nothing in an answer`, async () => {
    assert.notDeepEqual(
      faultsIn([injected.answer.replaceAll('{{secret}}', secret)]),
      [],
      'it proves nothing',
    );
    const { seen, answered } = await askInjected(injected);
    assert.equal(seen.length, 1);
    assert.ok(seen[0]!.data.includes(injected.order.trim()), 'the order did not reach the model');
    assert.deepEqual(seen[0]!.tools, [], 'without a repository there are no tools');
    assert.doesNotMatch(JSON.stringify(seen[0]!.body), forbidden['a credential']!);
    assert.deepEqual(faultsIn('text' in answered ? [answered.text] : []), []);
  });

test('an answer that is truncated, or in another format, is discarded', async () => {
  for (const scripted of [
    { answer: { answer: 'It is fine, because' }, cutAfter: 20 },
    { answer: 'It is fine.' },
    { answer: { text: 'It is fine.' } },
    { status: 401, answer: 'no' },
  ]) {
    const { settings } = await startScriptedModel('openai', () => scripted);
    const used: number[] = [];
    const answered = await answerAboutChange(
      settings,
      clientOf(settings, outbound),
      { question: 'Why?', earlier: [], pullRequest: { title: '', description: '' }, change: [] },
      {
        limits: { maxTokens: 200_000, maxSeconds: 60 },
        repositoryUrl: 'https://git.acme.test/acme/api',
        onUsage: async ({ calls }) => void used.push(calls),
      },
      AbortSignal.timeout(300_000),
    );
    assert.deepEqual(answered, { missing: 'model_failed' });
    assert.equal(used.length, 1, 'what was used is told');
  }
});
