import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allRules } from './all-rules.ts';

test('every rule has a unique id', () => {
  const ids = allRules.map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
  );
});

test('every rule has keywords, and none is a single letter or digit', () => {
  for (const { id, keywords } of allRules) {
    assert.ok(keywords.length > 0, id);
    for (const keyword of keywords) assert.doesNotMatch(keyword, /^[A-Za-z0-9]?$/, id);
  }
});

test('the formats of at least 150 vendors are known', () => {
  assert.ok(allRules.length >= 150);
});
