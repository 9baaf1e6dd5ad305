const MAX_WORD_CHARACTERS = 100;
const WHITESPACE = /\s/u;
/** ASCII symbols also count as punctuation, as in the tokenizer that the model was trained with. */
const PUNCTUATION = /[!-/:-@[-`{-~\p{P}]/u;
const CJK = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2ebef}\u{2f800}-\u{2fa1f}]/u;
const UNREADABLE = /\ufffd|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;
const ACCENTS = /\p{Mn}/gu;

/** Splits text into the word pieces of uncased BERT models. */
export class WordPieceTokenizer {
  readonly #ids: ReadonlyMap<string, number>;
  readonly #first: number;
  readonly #last: number;
  readonly #unknown: number;

  /** Takes the vocabulary of a `tokenizer.json`, which maps pieces to ids. */
  constructor(vocabulary: Readonly<Record<string, number>>) {
    this.#ids = new Map(Object.entries(vocabulary));
    const idOf = (piece: string) => {
      const id = this.#ids.get(piece);
      if (id === undefined) throw new RangeError(`The vocabulary has no ${piece}`);
      return id;
    };
    this.#first = idOf('[CLS]');
    this.#last = idOf('[SEP]');
    this.#unknown = idOf('[UNK]');
  }

  /** The ids of a text between those that mark its start and end; truncated to the window. */
  encode(text: string, maxTokens: number): number[] {
    const ids = [this.#first];
    for (const word of wordsOf(text)) {
      if (ids.length >= maxTokens) break;
      ids.push(...this.#piecesOf(word));
    }
    ids.length = Math.min(ids.length, maxTokens - 1);
    ids.push(this.#last);
    return ids;
  }

  /** The longest known piece, then the longest known continuation, and so on; one unknown part makes the whole word unknown. */
  #piecesOf(word: string): number[] {
    const characters = [...word];
    if (characters.length > MAX_WORD_CHARACTERS) return [this.#unknown];
    const pieces: number[] = [];
    let start = 0;
    while (start < characters.length) {
      let end = characters.length;
      let id: number | undefined;
      for (; end > start && id === undefined; end -= 1) {
        id = this.#ids.get((start === 0 ? '' : '##') + characters.slice(start, end).join(''));
      }
      if (id === undefined) return [this.#unknown];
      pieces.push(id);
      start = end + 1;
    }
    return pieces;
  }
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  const finish = () => {
    if (word !== '') words.push(word);
    word = '';
  };
  const plain = text.replace(UNREADABLE, '').normalize('NFD').replace(ACCENTS, '').toLowerCase();
  for (const character of plain) {
    if (WHITESPACE.test(character)) finish();
    else if (PUNCTUATION.test(character) || CJK.test(character)) {
      finish();
      words.push(character);
    } else word += character;
  }
  finish();
  return words;
}
