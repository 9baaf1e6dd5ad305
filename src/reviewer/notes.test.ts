import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNotes } from './notes.ts';

test('notes are sentences, without duplicates, in their original order', () => {
  const said = [
    'tool is missing',
    'Tool is missing.',
    '.postil.yaml is not used',
    'src/a.ts is\n large!',
    ' ',
  ];
  assert.deepEqual(toNotes(said), ['Tool is missing.', '.postil.yaml is not used.', 'src/a.ts is large!']);
  assert.deepEqual(toNotes(toNotes(said)), toNotes(said));
});

test('a note contains no characters that cannot be stored and no credential, and has a limited length', () => {
  const token = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
  const [odd, secret, long] = toNotes(['odd \0\ud800 name', `it says ${token}`, 'x'.repeat(5_000)]);
  assert.equal(odd, 'Odd \ufffd name.');
  assert.ok(!secret!.includes(token));
  assert.equal(long!.length, 2_000);
  assert.equal(toNotes(Array.from({ length: 99 }, (_, index) => `note ${index}`)).length, 50);
});
