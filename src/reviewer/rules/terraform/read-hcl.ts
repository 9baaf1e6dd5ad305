/** A literal value; `unknown` for any other expression. */
export type HclValue = string | number | boolean | readonly HclValue[] | { readonly unknown: string };

export interface HclAttribute {
  readonly line: number;
  readonly value: HclValue;
}

/** A block such as `resource "aws_s3_bucket" "logs" { … }`. */
export interface HclBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly line: number;
  readonly attributes: ReadonlyMap<string, HclAttribute>;
  readonly blocks: readonly HclBlock[];
}

interface Token {
  readonly kind: 'name' | 'text' | 'template' | 'number' | 'sign' | 'newline';
  readonly text: string;
  readonly line: number;
}

const maxTokens = 500_000;
const maxDepth = 50;
const space = /[ \t\r]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const name = /[\p{L}_][\p{L}\p{N}_-]*/uy;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const heredoc = /<<-?([\p{L}_][\p{L}\p{N}_-]*)\r?\n/uy;

/**
 * Parses the blocks of a Terraform file, as far as rules need them: only literal values are known. Undefined if the text is
 * invalid. No existing parser can be used: the licence of Terraform's own does not allow shipping it.
 */
export function readHcl(text: string): HclBlock | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reader = { tokens, at: 0 };
  const body = readBody(reader, 0);
  if (body === undefined || reader.at < tokens.length) return undefined;
  return { type: '', labels: [], line: 1, ...body };
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let [at, line] = [0, 1];
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const push = (kind: Token['kind'], value: string, end: number) => {
    tokens.push({ kind, text: value, line });
    for (let index = at; index < end; index += 1) if (text.charCodeAt(index) === 10) line += 1;
    at = end;
  };
  while (at < text.length) {
    if (tokens.length > maxTokens) return undefined;
    const skipped = match(space);
    if (skipped !== null) {
      line += skipped[0].split('\n').length - 1;
      at += skipped[0].length;
    } else if (text[at] === '\n') push('newline', '\n', at + 1);
    else if (text[at] === '"') {
      const end = endOfString(text, at);
      if (end === undefined) return undefined;
      const inner = text.slice(at + 1, end - 1);
      push(/[$%]\{/.test(inner) ? 'template' : 'text', inner, end);
    } else {
      const begun = match(heredoc);
      const word = match(name) ?? match(number);
      if (begun !== null) {
        const close = new RegExp(`^[ \\t]*${begun[1]}[ \\t]*\\r?$`, 'm');
        const rest = text.slice(at + begun[0].length);
        const end = close.exec(rest);
        if (end === null) return undefined;
        push('template', rest.slice(0, end.index), at + begun[0].length + end.index + end[0].length);
      } else if (word !== null) push(/^\d/.test(word[0]) ? 'number' : 'name', word[0], at + word[0].length);
      else push('sign', text[at]!, at + 1);
    }
  }
  return tokens;
}

/** The end of a quoted string, including expressions in it, which may contain strings; undefined if it is not closed. */
function endOfString(text: string, start: number): number | undefined {
  const open: ('"' | '{')[] = ['"'];
  for (let at = start + 1; at < text.length; at += 1) {
    const [sign, inString] = [text[at], open.at(-1) === '"'];
    if (inString && sign === '\\') at += 1;
    else if (inString && (sign === '$' || sign === '%') && text[at + 1] === '{') {
      if (text[at - 1] !== sign) open.push('{');
      at += 1;
    } else if (sign === '"') {
      if (inString) open.pop();
      else open.push('"');
      if (open.length === 0) return at + 1;
    } else if (!inString && sign === '{') open.push('{');
    else if (!inString && sign === '}') open.pop();
    else if (inString && sign === '\n') return undefined;
    if (open.length > maxDepth) return undefined;
  }
  return undefined;
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

function readBody(reader: Reader, depth: number): Pick<HclBlock, 'attributes' | 'blocks'> | undefined {
  const attributes = new Map<string, HclAttribute>();
  const blocks: HclBlock[] = [];
  for (;;) {
    const token = reader.tokens[reader.at];
    if (token === undefined || (token.kind === 'sign' && token.text === '}')) return { attributes, blocks };
    reader.at += 1;
    if (token.kind === 'newline') continue;
    if (token.kind !== 'name' || depth > maxDepth) return undefined;
    if (isSign(reader, '=')) {
      reader.at += 1;
      attributes.set(token.text, { line: token.line, value: readValue(reader) });
    } else {
      const block = readBlock(reader, token, depth);
      if (block === undefined) return undefined;
      blocks.push(block);
    }
  }
}

const isSign = ({ tokens, at }: Reader, sign: string) =>
  tokens[at]?.kind === 'sign' && tokens[at].text === sign;

function readBlock(reader: Reader, { text: type, line }: Token, depth: number): HclBlock | undefined {
  const labels: string[] = [];
  while (['text', 'name'].includes(reader.tokens[reader.at]?.kind ?? ''))
    labels.push(reader.tokens[reader.at++]!.text);
  if (!isSign(reader, '{')) return undefined;
  reader.at += 1;
  const body = readBody(reader, depth + 1);
  if (body === undefined || !isSign(reader, '}')) return undefined;
  reader.at += 1;
  return { type, labels, line, ...body };
}

/** Reads a value up to the end of the line on which all its brackets are closed. */
function readValue(reader: Reader): HclValue {
  const found: Token[] = [];
  for (let open = 0; ; reader.at += 1) {
    const token = reader.tokens[reader.at];
    if (token === undefined) break;
    if (token.kind === 'sign' && '([{'.includes(token.text)) open += 1;
    if (token.kind === 'sign' && ')]}'.includes(token.text)) open -= 1;
    if (open < 0 || (open === 0 && token.kind === 'newline')) break;
    if (token.kind !== 'newline') found.push(token);
  }
  return literal(found);
}

function literal(tokens: readonly Token[]): HclValue {
  const [first, ...rest] = tokens;
  if (first !== undefined && rest.length === 0) {
    if (first.kind === 'text') return first.text;
    if (first.kind === 'number') return Number(first.text);
    if (first.text === 'true' || first.text === 'false') return first.text === 'true';
  }
  const text = tokens.map(({ text }) => text).join(' ');
  if (first?.text === '-' && rest.length === 1 && rest[0]!.kind === 'number') return -Number(rest[0]!.text);
  if (first?.text !== '[' || tokens.at(-1)?.text !== ']') return { unknown: text };
  const items = tokens.slice(1, -1).filter(({ kind, text }) => !(kind === 'sign' && text === ','));
  const isPlain = items.every(({ kind, text }) => kind !== 'sign' || !'([{.?:'.includes(text));
  return isPlain ? items.map((item) => literal([item])) : { unknown: text };
}
