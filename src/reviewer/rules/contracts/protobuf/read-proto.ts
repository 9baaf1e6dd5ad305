/** A definition in a `.proto` file; `name` includes the package and enclosing messages. */
export interface ProtoDefinition {
  readonly kind: 'message' | 'enum' | 'service';
  readonly name: string;
  readonly package: ProtoPackage;
  readonly path: string;
  readonly line: number;
  readonly fields: readonly ProtoField[];
  /** Numbers and names that must not be used again. */
  readonly reserved: {
    readonly numbers: readonly (readonly [from: number, to: number])[];
    readonly names: ReadonlySet<string>;
  };
}

/** The package of a file, and the line of its declaration. */
export interface ProtoPackage {
  /** Empty if the file declares none. */
  readonly name: string;
  readonly line: number;
}

/** A field of a message, a value of an enum, or a method of a service. */
export interface ProtoField {
  readonly name: string;
  readonly line: number;
  /** Null for methods. */
  readonly number: number | null;
  readonly type: string;
  /** `repeated`, `optional`, `required`, or nothing. */
  readonly label: string;
}

interface Token {
  readonly text: string;
  readonly line: number;
}

const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?(?:0x[\da-f]+|\d[\d.]*(?:e[+-]?\d+)?)|\.?[A-Za-z_][\w.]*|[^\s]/giy;
const maxDepth = 100;
const maxTokens = 500_000;

/** A syntax error, and its line. */
export class ProtoFault extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`line ${line} could not be parsed`);
    this.line = line;
  }
}

/** Parses the definitions of a file. Parsers in libraries do not keep the lines of fields, which findings need. */
export function readProto(path: string, text: string): Map<string, ProtoDefinition> {
  const reader = new ProtoReader(path, tokensOf(text));
  reader.readFile();
  return reader.definitions;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    if (!/^(?:\s|\/\/|\/\*)/.test(piece)) tokens.push({ text: piece, line });
    if (tokens.length > maxTokens) throw new ProtoFault(line);
    for (let at = 0; at < piece.length; at += 1) if (piece.charCodeAt(at) === 10) line += 1;
  }
  return tokens;
}

class ProtoReader {
  readonly definitions = new Map<string, ProtoDefinition>();
  readonly #path: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #package: ProtoPackage = { name: '', line: 1 };

  constructor(path: string, tokens: readonly Token[]) {
    this.#path = path;
    this.#tokens = tokens;
  }

  readFile(): void {
    while (this.#at < this.#tokens.length) {
      const word = this.#next();
      if (word.text === 'package') this.#package = { name: this.#next().text, line: word.line };
      if (word.text === 'message' || word.text === 'enum' || word.text === 'service')
        this.#definition(word.text, this.#package.name === '' ? '' : `${this.#package.name}.`, 0);
      else if (word.text === 'extend') this.#skipTo('{', () => this.#skipBlock());
      else if (word.text !== ';') this.#skipStatement();
    }
  }

  #peek(): string {
    return this.#tokens[this.#at]?.text ?? '';
  }

  #next(): Token {
    const found = this.#tokens[this.#at];
    if (found === undefined) throw new ProtoFault(this.#tokens.at(-1)?.line ?? 1);
    this.#at += 1;
    return found;
  }

  #expect(text: string): Token {
    const found = this.#next();
    if (found.text !== text) throw new ProtoFault(found.line);
    return found;
  }

  #skipTo(text: string, then: () => void): void {
    while (this.#next().text !== text);
    then();
  }

  /** Skips to the end of a block whose opening brace has been read. */
  #skipBlock(): void {
    for (let open = 1; open > 0; ) {
      const { text } = this.#next();
      if (text === '{') open += 1;
      if (text === '}') open -= 1;
    }
  }

  /** Skips to the semicolon of a statement, including values in braces. */
  #skipStatement(): void {
    if (this.#tokens[this.#at - 1]?.text === ';') return;
    for (let open = 0; ; ) {
      const { text } = this.#next();
      if (text === '{') open += 1;
      if (text === '}') open -= 1;
      if (text === ';' && open <= 0) return;
    }
  }

  #definition(kind: ProtoDefinition['kind'], prefix: string, depth: number): void {
    const { text: own, line } = this.#next();
    if (!/^[A-Za-z_]\w*$/.test(own) || depth > maxDepth) throw new ProtoFault(line);
    const name = `${prefix}${own}`;
    const numbers: (readonly [number, number])[] = [];
    const names = new Set<string>();
    const fields: ProtoField[] = [];
    this.#expect('{');
    const readBody = () => {
      for (;;) {
        const word = this.#next();
        if (word.text === '}') return;
        if (word.text === ';') continue;
        const isNested =
          kind === 'message' &&
          /^[A-Za-z_]\w*$/.test(this.#peek()) &&
          this.#tokens[this.#at + 1]?.text === '{';
        if (word.text === 'reserved') this.#reserved(numbers, names);
        else if (word.text === 'option' || word.text === 'extensions') this.#skipStatement();
        else if (isNested && (word.text === 'message' || word.text === 'enum'))
          this.#definition(word.text, `${name}.`, depth + 1);
        else if (isNested && word.text === 'oneof') {
          this.#next();
          this.#expect('{');
          readBody();
        } else if (kind === 'message' && word.text === 'extend' && this.#tokens[this.#at + 1]?.text === '{')
          this.#skipTo('{', () => this.#skipBlock());
        else if (kind === 'enum') fields.push(this.#value(word));
        else if (kind === 'service') {
          if (word.text !== 'rpc') throw new ProtoFault(word.line);
          fields.push(this.#call());
        } else fields.push(this.#field(word));
      }
    };
    readBody();
    this.definitions.set(name, {
      kind,
      name,
      package: this.#package,
      path: this.#path,
      line,
      fields,
      reserved: { numbers, names },
    });
  }

  #reserved(numbers: (readonly [number, number])[], names: Set<string>): void {
    for (;;) {
      const { text, line } = this.#next();
      if (text === ';') return;
      if (/^["']/.test(text) || /^[A-Za-z_]/.test(text)) names.add(text.replaceAll(/^["']|["']$/g, ''));
      else if (/^-?\d/.test(text)) {
        const from = Number(text);
        if (this.#peek() !== 'to') numbers.push([from, from]);
        else {
          this.#next();
          const to = this.#next().text;
          numbers.push([from, to === 'max' ? Number.MAX_SAFE_INTEGER : Number(to)]);
        }
      } else if (text !== ',') throw new ProtoFault(line);
    }
  }

  #value(word: Token): ProtoField {
    this.#expect('=');
    const number = Number(this.#next().text);
    this.#skipStatement();
    return { name: word.text, line: word.line, number, type: '', label: '' };
  }

  #call(): ProtoField {
    const { text: name, line } = this.#next();
    const end = () => {
      this.#expect('(');
      const words: string[] = [];
      for (let word = this.#next().text; word !== ')'; word = this.#next().text) words.push(word);
      return words.join(' ');
    };
    const given = end();
    this.#expect('returns');
    const returned = end();
    if (this.#peek() === '{') {
      this.#next();
      this.#skipBlock();
    } else this.#skipStatement();
    return { name, line, number: null, type: `${given} → ${returned}`, label: '' };
  }

  #field(word: Token): ProtoField {
    const isLabel =
      /^(?:repeated|optional|required)$/.test(word.text) && this.#tokens[this.#at + 1]?.text !== '=';
    const label = isLabel ? word.text : '';
    let type = isLabel ? this.#next().text : word.text;
    if (type === 'map' && this.#peek() === '<') {
      while (!type.endsWith('>')) type += this.#next().text;
    }
    const { text: name, line } = this.#next();
    this.#expect('=');
    const number = Number(this.#next().text);
    if (!Number.isInteger(number)) throw new ProtoFault(line);
    // A proto2 group has fields of its own, which do not belong to the message.
    if (type === 'group') this.#skipTo('{', () => this.#skipBlock());
    else this.#skipStatement();
    return { name, line, number, type, label };
  }
}
