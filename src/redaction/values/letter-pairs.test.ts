import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSample, seededRandom } from '../samples/generate-sample.ts';
import { isJoinedFromWords, readsLikeName } from './letter-pairs.ts';

const random = seededRandom(28);

test('words and names in code read like names, whatever joins them', () => {
  for (const name of [
    'v3-certs',
    'LwServerBootstrap2',
    'items[0].entity',
    'COLORS_16M',
    'InboundLength',
    'required|min:',
    'ui/pages/sign-in',
    'setAttr-Token-Prime',
    'pemTruststore',
  ])
    assert.ok(readsLikeName(name), name);
});

test('random text does not read like a name, with less than one exception in a hundred', () => {
  for (const format of [
    '[A-Za-z0-9]{16}',
    '[a-z0-9]{20}',
    '[A-Z2-7]{16}',
    '[A-Za-z0-9+/]{32}',
    '[a-z]{24}',
  ]) {
    const mistaken = Array.from({ length: 1000 }, () => generateSample(format, random)).filter(readsLikeName);
    assert.ok(mistaken.length < 10, `${format}: ${mistaken.slice(0, 5).join(' ')}`);
  }
});

test('numbers, hexadecimal digits and symbols say nothing about words', () => {
  for (const value of ['1234567890', 'deadbeefcafe', 'DEADBEEF00', '+/=-', 'a', ''])
    assert.ok(!readsLikeName(value), value);
});

test('an id is joined from words and short pieces, a token after its prefix is not', () => {
  for (const id of ['say_hello-8dfe6dff', 'nodes-base.awsS3', 'product-2024-13065-1'])
    assert.ok(isJoinedFromWords(id), id);
  for (const format of ['sk_live_[A-Za-z0-9]{24}', 'master-[A-Z0-9]{20}', '[A-Za-z0-9]{32}'])
    assert.ok(!isJoinedFromWords(generateSample(format, random)), format);
});
