import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { faultsOf } from './faults.ts';

function faults(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return error === undefined ? [] : faultsOf(error);
}

test('faults are described in plain words, each with its path', () => {
  const schema = z.strictObject({
    name: z.string().min(2).max(5),
    count: z.int().min(1).max(9),
    rate: z.number().gt(0),
    kind: z.enum(['a', 'b']),
    version: z.literal('1.0'),
    list: z.array(z.string()).max(2),
    on: z.boolean(),
    own: z.string().refine((text) => text === 'x', 'must be an x'),
  });
  const valid = { name: 'abc', count: 1, rate: 1, kind: 'a', version: '1.0', list: [], on: true, own: 'x' };
  assert.deepEqual(faults(schema, valid), []);
  assert.deepEqual(faults(schema, {}).slice(0, 2), ['name: is required', 'count: is required']);
  const invalid: [object, string][] = [
    [{ name: 1 }, 'name: must be text'],
    [{ name: 'abcdef' }, 'name: must have at most 5 characters'],
    [{ name: 'a' }, 'name: must have at least 2 characters'],
    [{ count: 10 }, 'count: must be at most 9'],
    [{ count: 1.5 }, 'count: must be a whole number'],
    [{ rate: 0 }, 'rate: must be greater than 0'],
    [{ kind: 'c' }, 'kind: must be one of a, b'],
    [{ version: '2.0' }, 'version: must be 1.0'],
    [{ list: 'x' }, 'list: must be a list'],
    [{ list: ['a', 'b', 'c'] }, 'list: must have at most 2 entries'],
    [{ list: [1] }, 'list[0]: must be text'],
    [{ on: 'yes' }, 'on: must be true or false'],
    [{ own: 'y' }, 'own: must be an x'],
    [{ more: 1 }, 'more: unknown field'],
  ];
  for (const [change, sentence] of invalid)
    assert.deepEqual(faults(schema, { ...valid, ...change }), [sentence]);
  assert.deepEqual(faults(schema, 'text'), ['the body: must be an object']);
});
