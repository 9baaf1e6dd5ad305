import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from '../../../../test/change-of-versions.ts';
import { resolveConfiguration } from '../../configuration/review-configuration.ts';
import type { ReviewRequest } from '../review-request.ts';
import { askHere } from './ask-here.ts';
import { type ShowRequest, work as show } from './show-part.ts';

const question = { name: 'small', instructions: 'Fail if it is large.' };
const run = ((_part: unknown, request: ShowRequest) =>
  show(request, {
    openChange: async () => changeOf({ 'a.ts': [null, 'const a = 1;\n'] }),
  })) as unknown as ReviewRequest['run'];
const change = { kind: 'diff', file: '' } as const;
const asked = (settings = {}) =>
  resolveConfiguration({ checks: { ask: [{ ...question, mode: 'error' }] }, ...settings });

test('in a working copy questions are asked with the model of the review, and skipped without one', async () => {
  const seen: string[] = [];
  const model: NonNullable<ReviewRequest['model']> = {
    name: 'm',
    review: () => Promise.reject(new Error('not now')),
    async judge({ name }, { text }) {
      seen.push(`${name}: ${text}`);
      return seen.length === 1 ? { verdict: 'passed', text: 'It is small.' } : { missing: 'budget' };
    },
  };
  const configuration = asked();
  assert.deepEqual((await askHere({ model, configuration, change, run }))(question), {
    verdict: 'passed',
    text: 'It is small.',
  });
  assert.deepEqual(seen, ['small: file: a.ts (added)\n@@\n+const a = 1;']);
  assert.deepEqual((await askHere({ model, configuration, change, run }))(question), {
    verdict: 'inconclusive',
    text: 'The budget for the model is used up.',
  });
  const skipped = { verdict: 'skipped', text: 'This check needs a model.' };
  assert.deepEqual((await askHere({ model: undefined, configuration, change, run }))(question), skipped);
  const off = asked({ reviews: { model: { enabled: false } } });
  assert.deepEqual((await askHere({ model, configuration: off, change, run }))(question), skipped);
  assert.equal(seen.length, 2);
});
