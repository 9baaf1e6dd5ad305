import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/properties.ts';
import { commandNames, readAddress } from './read-address.ts';

const read = (body: string, name = 'postil-bot') => readAddress(body, name);
const namesOf = (body: string) => read(body)?.commands.map(({ name }) => name);

test('a command stands at the beginning of a line, whatever its case, with or without politeness', () => {
  for (const [body, expected] of [
    ['@postil-bot review', ['review']],
    ['  @Postil-Bot  REVIEW please!', ['review']],
    ['@postil-bot: full review', ['full review']],
    ['@postil-bot full-review.', ['full review']],
    ['Thanks!\n\n@postil-bot please resolve all threads', ['resolve']],
    ['- @postil-bot pause\r\n- @postil-bot **resolve**', ['pause', 'resolve']],
    ['@postil-bot pause\n@postil-bot pause', ['pause']],
    ['@postil-bot[bot] help', ['help']],
  ] as const)
    assert.deepEqual(namesOf(body), expected, body);
});

test('an app is mentioned without its suffix', () => {
  assert.deepEqual(
    readAddress('@postil review', 'postil[bot]')?.commands.map(({ name }) => name),
    ['review'],
  );
});

test('code, quotations, hidden text, other names and parts of words are no mention', () => {
  for (const body of [
    '`@postil-bot review`',
    '```\n@postil-bot review\n```',
    '~~~\n@postil-bot review',
    'Text\n\n    @postil-bot review',
    '> @postil-bot review',
    '<!-- @postil-bot review -->',
    '<!-- @postil-bot review',
    'mail@postil-bot review',
    '@postil-bots review',
    '@postil-bot-2 review',
    '@postil-bot/team review',
    '@postil-bot.other review',
    'https://host.test/@postil-bot review',
    'postil-bot review',
  ])
    assert.equal(read(body), null, body);
});

test('what is not a command alone is a question, or nothing at all', () => {
  for (const [body, isQuestion] of [
    ['@postil-bot review the naming in this file', true],
    ['@postil-bot why is that unsafe?', true],
    ['@postil-bot', true],
    ['Could @postil-bot tell why?', true],
    ['I had asked @postil-bot about it.', false],
    ['cc @postil-bot review', false],
  ] as const)
    assert.deepEqual(read(body), { commands: [], isQuestion }, body);
});

test('what is to be remembered is kept as it was written, code included', () => {
  const text = (body: string) => read(body)?.commands[0]?.text;
  assert.equal(
    text('@postil-bot remember that we use `Result`, not exceptions'),
    'we use `Result`, not exceptions',
  );
  assert.equal(
    text('@postil-bot Remember: tabs\n\n```ts\nconst a = 1;\n```'),
    'tabs\n\n```ts\nconst a = 1;\n```',
  );
  assert.equal(text('@postil-bot remember'), '');
  assert.deepEqual(read('@postil-bot remember one thing\n@postil-bot pause')?.commands, [
    { name: 'remember', text: 'one thing' },
    { name: 'pause', text: '' },
  ]);
});

test('no text takes long or is taken for a command that is not there', () => {
  const piece = fc.constantFrom(
    '@postil-bot',
    'review',
    '`',
    '```',
    '\n',
    '> ',
    '<!--',
    '-->',
    ' ',
    'remember',
    '    ',
    'x',
    '~~~',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = pieces.join('');
      const address = read(body);
      if (!body.includes('@postil-bot')) assert.equal(address, null);
      for (const { name } of address?.commands ?? []) {
        assert.ok(commandNames.includes(name));
        assert.match(body, /^ {0,3}@postil-bot[^\n]*\b(?:review|remember)/m);
      }
    }),
  );
  for (const part of ['`', '> @postil-bot ', '<!--', '```\n', '@postil-bot remember ', '~~~\n', '*'])
    read(part.repeat(60_000 / part.length));
});
