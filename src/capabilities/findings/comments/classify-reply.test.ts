import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyReply } from './classify-reply.ts';

const fixed = [
  'Fixed',
  'fixed.',
  'Done!',
  'done',
  'Done 👍',
  'Good catch, fixed.',
  'Good catch! Fixed in 3f2a9c1.',
  'Thanks, updated.',
  'Thank you! Addressed in the latest commit.',
  'addressed in abcdef1234',
  'Fixed in #123',
  "I've renamed it.",
  'I have updated the query accordingly.',
  'We fixed this by adding a null check.',
  'It is now fixed.',
  'This has been addressed.',
  'Resolved in https://git.acme.test/acme/app/commit/3f2a9c1',
  '✅',
  '✅ Done',
  '@postil fixed',
  '> Possible null dereference\n\nfixed',
  'Yes, corrected.',
  'Right. Removed the call.',
  'ok, changed',
  'Applied the suggestion, thanks!',
  'Oops, fixed now',
  'All done.',
  '**Fixed** in `3f2a9c1`',
];
const wontFix = [
  "Won't fix",
  'wontfix',
  'wont fix.',
  "won't-fix: too risky right now",
  'We will not change this.',
  "I won't do that here.",
  'By design.',
  'This is by design',
  "It's intentional.",
  'That is intentional, the caller checks it.',
  'Works as intended',
  'False positive',
  'This is a false positive, the value is validated above.',
  'not an issue',
  "That's not a problem here.",
  'Not a bug.',
  'I disagree.',
  "I don't agree with this one",
  'Out of scope for this PR.',
  'Leaving as is.',
  "I'd rather keep it as is",
  'Keeping this for now',
  'N/A',
  'nope',
  'Ignore',
  'Acceptable risk.',
  'Not needed, it is checked above.',
  'Decided not to change this',
  'Already handled by the middleware',
  'Not applicable',
  '@postil this is on purpose',
];
const neither = [
  '',
  'Thanks!',
  'Is this fixed?',
  'How was this fixed',
  'Why is this by design?',
  'Is that a false positive?',
  'not fixed',
  'This is not fixed yet.',
  "I haven't fixed it",
  'Will fix',
  "I'll fix it tomorrow",
  'Will be done in a follow-up',
  'This should be fixed',
  'needs to be addressed',
  'To be fixed later',
  'TODO: get this done',
  'Uses a fixed size buffer',
  'Fixed-size arrays are allocated on the stack.',
  'Can this be done in the constructor?',
  'This is not intentional',
  'That was not by design.',
  "It isn't a false positive, sorry",
  'Not a false positive',
  'unintentional',
  'Could be out of scope',
  'Maybe not an issue',
  'If this is by design we can leave it',
  "I don't disagree",
  '> fixed\n\nWhere?',
  'This crashed in production, see `fixed()`.',
  '```\nfixed\n```',
  'Could you explain?',
  'Half fixed, the second call remains.',
  'Fixed the typo, but the rest is by design.',
  'The design of this module is old.',
  'I am not sure about that.',
  'Doing it now',
  'lgtm',
  'What if it is null?',
  'Should we fix it?',
  'once the migration is done this goes away',
  '<!-- fixed -->',
];

for (const [wanted, texts] of [
  ['fixed', fixed],
  ['wont_fix', wontFix],
  [null, neither],
] as const)
  test(`replies that mean ${wanted ?? 'neither'} are understood`, () => {
    const wrong = texts.filter((text) => classifyReply(text) !== wanted);
    assert.deepEqual(
      wrong.map((text) => [text, classifyReply(text)]),
      [],
    );
  });

test('a text made to take long is answered at once', () => {
  for (const part of ['i have ', 'ok, ', '> ', '`', '```\n', '[', '@a', 'not ', 'done '])
    assert.ok(classifyReply(part.repeat(Math.floor(4_000 / part.length))) !== undefined);
});

test('replies in other languages are understood, and their plans, doubts and questions are not taken for answers', () => {
  const said = (meaning: 'fixed' | 'wont_fix' | null, ...replies: string[]) => {
    for (const reply of replies) assert.equal(classifyReply(reply), meaning, reply);
  };
  said(
    'fixed',
    'Erledigt.',
    'Ist behoben, danke!',
    'Corrigé',
    "C'est fait.",
    'Hecho',
    'Corregido en el último commit',
  );
  said('fixed', 'Feito!', 'Corretto', 'Opgelost', 'Poprawione', 'Исправлено', 'Готово', 'Düzeltildi');
  said('fixed', '已修复', '好的，已修改', '修正しました', '対応済みです', '수정했습니다', '반영 완료');
  said('wont_fix', 'Das ist so gewollt.', "C'est voulu", 'Es intencional', 'É proposital', 'Так задумано');
  said('wont_fix', '设计如此', '仕様です', '의도된 동작입니다');
  said(
    null,
    'Noch nicht erledigt',
    'Wird noch behoben',
    'Pas encore corrigé',
    'Todavía no está hecho',
    'Não corrigido',
  );
  said(
    null,
    'Ещё не исправлено',
    '尚未修复',
    'まだ修正していません',
    '아직 수정하지 않았습니다',
    '已修复吗？',
    'Ist das behoben?',
  );
  said(null, 'Das ist nicht absichtlich', 'Vielleicht absichtlich', 'Merci', '👍', 'ok');
});

test('pictures and shortcodes around the words change nothing, unless they say no or not yet; what is struck out is not said', () => {
  for (const reply of ['👍 done', '🎉 Fixed!', '👍🏽 fixed', '✔', ':tada: fixed', '✅ erledigt', '🙏 已修复'])
    assert.equal(classifyReply(reply), 'fixed', reply);
  assert.equal(classifyReply("🙈 won't fix"), 'wont_fix');
  for (const reply of [
    '❌ fixed',
    '🚧 done',
    ':x: done',
    '👍',
    '🎉',
    '~~fixed~~',
    '~~Done.~~ Let me look again.',
  ])
    assert.equal(classifyReply(reply), null, reply);
});
