/** A statement in an SQL text, from its first word on. */
export interface SqlStatement {
  readonly text: string;
  /** The lines of its first word and of its last character. */
  readonly line: number;
  readonly endLine: number;
  /** The comments before it and in it. */
  readonly comments: string;
}

const quoted = /'(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"]|"")*"/y;
const lineComment = /--[^\n]*/y;
const blockComment = /\/\*(?:[^*]|\*(?!\/))*\*\//y;
const dollar = /\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$/y;
/** A psql command, which is no SQL. */
const command = /\\[^\n]*/y;
const plain = /[^'"\-/$\\;]+/y;

/** Splits a text into statements. Semicolons in strings, names, comments and function bodies do not end a statement. */
export function splitStatements(text: string): SqlStatement[] {
  const statements: SqlStatement[] = [];
  let [at, line, start, startLine, comments] = [0, 1, -1, 1, ''];
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const pass = (length: number) => {
    for (let end = at + length; at < end; at += 1) if (text.charCodeAt(at) === 10) line += 1;
  };
  /** Begins a statement, unless one has begun, at the first word in a piece, which may have spaces before it. */
  const begin = (piece: string) => {
    const before = /^\s*/.exec(piece)![0].length;
    if (start !== -1 || before === piece.length) return;
    start = at + before;
    startLine = line + piece.slice(0, before).split('\n').length - 1;
  };
  const end = () => {
    if (start !== -1)
      statements.push({ text: text.slice(start, at).trimEnd(), line: startLine, endLine: line, comments });
    [start, comments] = [-1, ''];
  };
  while (at < text.length) {
    const comment = take(lineComment) ?? take(blockComment);
    if (comment !== undefined) {
      comments += `${comment}\n`;
      pass(comment.length);
      continue;
    }
    if (text[at] === ';') {
      end();
      pass(1);
      continue;
    }
    const skipped = start === -1 ? take(command) : undefined;
    if (skipped !== undefined) {
      pass(skipped.length);
      continue;
    }
    const tag = take(dollar);
    const close = tag === undefined ? -1 : text.indexOf(tag, at + tag.length);
    const body = close === -1 ? undefined : text.slice(at, close + tag!.length);
    const piece = body ?? take(quoted) ?? take(plain) ?? text[at]!;
    begin(piece);
    pass(piece.length);
  }
  end();
  return statements;
}

/** The number of line breaks in a text. */
export function linesOf(text: string): number {
  return text.split('\n').length - 1;
}
