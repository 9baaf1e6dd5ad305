import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashKeyValue, isKeyValue, keyKinds, newKeyValue } from './api-key-value.ts';

test('a new value is well-formed and has a valid checksum, and no two are alike', () => {
  for (const kind of keyKinds) {
    const values = Array.from({ length: 200 }, () => newKeyValue(kind));
    assert.equal(new Set(values).size, 200);
    for (const value of values) {
      assert.match(value, /^pst_[ouwila]_[0-9A-Za-z]{49}$/);
      assert.ok(isKeyValue(value));
    }
  }
});

test('any single wrong character is detected without the database', () => {
  const value = newKeyValue('user');
  for (let index = 0; index < value.length; index += 1) {
    const wrong = value.slice(0, index) + (value[index] === 'x' ? 'y' : 'x') + value.slice(index + 1);
    assert.equal(isKeyValue(wrong), false, `at ${index}`);
  }
  for (const wrong of ['', value.slice(1), `${value}x`, ` ${value}`, `${value}\n`, value.toUpperCase()])
    assert.equal(isKeyValue(wrong), false);
});

test('only a SHA-256 hash is stored, which does not reveal the value', () => {
  const value = newKeyValue('legacy');
  assert.equal(hashKeyValue(value).length, 32);
  assert.ok(!hashKeyValue(value).toString('latin1').includes(value.slice(6, 12)));
});
