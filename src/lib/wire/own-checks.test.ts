import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { faultsOf } from './faults.ts';
import { must, onSound } from './own-checks.ts';

function never(): never {
  throw new Error('the check saw an unsound value');
}

function faults(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : faultsOf(error);
}

test('our own checks do not run on a value that an earlier check has rejected', () => {
  const url = z.url('must be a URL').check(must(never, 'unused'));
  assert.deepEqual(faults(url, 'none'), ['the body: must be a URL']);
  const long = z.string().max(2).check(must(never, 'unused'), onSound(never));
  assert.deepEqual(faults(long, 'abc'), ['the body: must have at most 2 characters']);
});

test('a check of an object does not run if its fields are invalid, also if the schema is compiled', () => {
  const date = z.string().transform((_text, issues): Date => {
    issues.addIssue('must be a date');
    return z.NEVER;
  });
  const shape = z.strictObject({ from: date, list: z.array(z.string().max(1)) }).check(must(never, 'unused'));
  for (const schema of [shape, z.compile(shape)])
    assert.deepEqual(faults(schema, { from: 'x', list: ['ab'] }), [
      'from: must be a date',
      'list[0]: must have at most 1 characters',
    ]);
});

test('each of our own checks reports its fault and path, and only the first fault is reported', () => {
  const isOrdered = ({ from, to }: { from: number; to: number }) => from <= to;
  const shape = z
    .strictObject({ from: z.int(), to: z.int() })
    .check(must(isOrdered, { path: ['to'], error: 'must not precede from', params: { errorCode: 'X' } }))
    .check(must(({ to }) => to > 0, 'must end later'));
  for (const schema of [shape, z.compile(shape)]) {
    assert.deepEqual(faults(schema, { from: 1, to: 2 }), []);
    assert.deepEqual(faults(schema, { from: 1, to: 0 }), ['to: must not precede from']);
    assert.deepEqual(faults(schema, { from: -1, to: 0 }), ['the body: must end later']);
    const [issue] = schema.safeParse({ from: 1, to: 0 }).error!.issues;
    assert.deepEqual(issue?.code === 'custom' && issue.params, { errorCode: 'X' });
  }
});
