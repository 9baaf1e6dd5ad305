import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments, parse as parseYaml, stringify } from 'yaml';

// Renders the chart as `helm template` does, for the few constructs that it uses; anything else is an error. Keep the
// templates plain, so that this stays small.

type Scope = { readonly dot: unknown; readonly variables: ReadonlyMap<string, unknown> };
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly code: string }
  | {
      readonly kind: 'block';
      readonly word: string;
      readonly code: string;
      readonly body: Node[];
      otherwise: Node[];
    };

export const chartFolder = path.join(import.meta.dirname, '../../deploy/helm/postil');

const action = /(\{\{-?)\s*([\s\S]*?)\s*(-?\}\})/g;
const blockWords = /^(if|with|range|define)\s+(.*)$/s;

/** Splits a template into text and actions; a dash trims the white space on its side. */
function split(source: string): (string | { code: string })[] {
  const parts: (string | { code: string })[] = [];
  let end = 0;
  let trimsNext = false;
  const addText = (text: string, trimsEnd: boolean) => {
    const begun = trimsNext ? text.trimStart() : text;
    parts.push(trimsEnd ? begun.trimEnd() : begun);
  };
  for (const { 0: whole, 1: open, 2: code, 3: close, index } of source.matchAll(action)) {
    addText(source.slice(end, index), open === '{{-');
    parts.push({ code: code! });
    trimsNext = close === '-}}';
    end = index + whole.length;
  }
  addText(source.slice(end), false);
  return parts;
}

function parse(source: string): Node[] {
  const root: Node[] = [];
  const open: { block: Extract<Node, { kind: 'block' }>; into: Node[] }[] = [];
  for (const part of split(source)) {
    const into = open.at(-1)?.into ?? root;
    if (typeof part === 'string') into.push({ kind: 'text', text: part });
    else if (part.code === 'end') assert.ok(open.pop(), 'an end without a beginning');
    else if (part.code === 'else') {
      const last = open.at(-1)!;
      last.into = last.block.otherwise;
    } else {
      const [, word, code] = blockWords.exec(part.code) ?? [];
      if (word === undefined) into.push({ kind: 'value', code: part.code });
      else {
        const block = { kind: 'block' as const, word, code: code!, body: [], otherwise: [] };
        into.push(block);
        open.push({ block, into: block.body });
      }
    }
  }
  assert.equal(open.length, 0, 'a block without an end');
  return root;
}

const isSet = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
const indented = (columns: number, text: string) => text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
const number = (value: unknown) => {
  assert.ok(Number.isInteger(value), `${value} is not a whole number`);
  return value as number;
};

class Renderer {
  readonly #named = new Map<string, Node[]>();

  define(source: string): void {
    for (const node of parse(source)) {
      if (node.kind === 'text' && node.text.trim() === '') continue;
      assert.ok(node.kind === 'block' && node.word === 'define', 'only definitions are expected here');
      this.#named.set(JSON.parse(node.code), node.body);
    }
  }

  render(source: string, dot: unknown): string {
    return this.#text(parse(source), { dot, variables: new Map([['$', dot]]) });
  }

  #text(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => this.#one(node, scope)).join('');
  }

  #one(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'value') {
      const value = this.#pipe(node.code, scope);
      assert.ok(['string', 'number', 'boolean'].includes(typeof value), `${node.code} is ${typeof value}`);
      return String(value);
    }
    if (node.word === 'range') return this.#range(node, scope);
    const value = this.#pipe(node.code, scope);
    if (!isSet(value)) return this.#text(node.otherwise, scope);
    assert.ok(['if', 'with'].includes(node.word), node.word);
    return this.#text(node.body, node.word === 'with' ? { ...scope, dot: value } : scope);
  }

  #range({ code, body }: Extract<Node, { kind: 'block' }>, scope: Scope): string {
    const [, key, value, list] = /^(\$\w+), (\$\w+) := (.*)$/.exec(code) ?? assert.fail(code);
    const entries = Object.entries(this.#pipe(list!, scope) as object).toSorted(([a], [b]) =>
      a < b ? -1 : 1,
    );
    return entries
      .map(([name, item]) =>
        this.#text(body, {
          dot: item,
          variables: new Map([...scope.variables, [key!, name], [value!, item]]),
        }),
      )
      .join('');
  }

  /** Evaluates a pipeline: each command gets the result of the previous one as its last argument. */
  #pipe(code: string, scope: Scope): unknown {
    const tokens = code.match(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g) ?? [];
    const result = this.#command(tokens, scope);
    assert.equal(tokens.length, 0, `not understood: ${code}`);
    return result;
  }

  #command(tokens: string[], scope: Scope, piped: unknown[] = []): unknown {
    const values: unknown[] = [];
    let word: string | undefined;
    while (tokens.length > 0 && tokens[0] !== ')' && tokens[0] !== '|') {
      const token = tokens.shift()!;
      if (word === undefined && values.length === 0 && /^([a-z]\w*|\.Files\.Get)$/i.test(token)) word = token;
      else values.push(this.#operand(token, tokens, scope));
    }
    const all = [...values, ...piped];
    const result = word === undefined ? all[0] : this.#call(word, all);
    if (word === undefined) assert.equal(all.length, 1, 'one value is expected');
    if (tokens[0] !== '|') return result;
    tokens.shift();
    return this.#command(tokens, scope, [result]);
  }

  #operand(token: string, tokens: string[], { dot, variables }: Scope): unknown {
    if (token === '(') {
      const value = this.#command(tokens, { dot, variables });
      assert.equal(tokens.shift(), ')');
      return value;
    }
    if (token.startsWith('"')) return JSON.parse(token);
    if (/^\d+$/.test(token)) return Number(token);
    const [name, ...steps] = token.split('.');
    assert.ok(/^(\$\w*)?$/.test(name!), `not understood: ${token}`);
    let value = name === '' ? dot : variables.get(name!);
    for (const step of steps.filter(Boolean)) {
      assert.ok(Object.hasOwn(value as object, step), `${token} does not exist`);
      value = (value as Record<string, unknown>)[step];
    }
    return value;
  }

  #call(word: string, given: readonly unknown[]): unknown {
    const [first, second] = given;
    switch (word) {
      case 'include':
        return this.#text(this.#named.get(first as string) ?? assert.fail(`${first} is not defined`), {
          dot: second,
          variables: new Map(),
        });
      case '.Files.Get':
        return readFileSync(path.join(chartFolder, first as string), 'utf8');
      case 'toYaml':
        return stringify(first).trimEnd();
      case 'nindent':
        return `\n${indented(first as number, second as string)}`;
      case 'printf':
        return given
          .slice(1)
          .reduce<string>((text, value) => text.replace('%s', String(value)), first as string);
      case 'or':
        return given.find(isSet) ?? given.at(-1);
      case 'quote':
        return JSON.stringify(String(first));
      case 'default':
        return isSet(second) ? second : first;
      case 'required':
        assert.ok(second !== undefined && second !== '', first as string);
        return second;
      case 'int':
        return number(first);
      case 'add':
        return given.reduce<number>((sum, value) => sum + number(value), 0);
      case 'mul':
        return given.reduce<number>((product, value) => product * number(value), 1);
      case 'div':
        return Math.trunc(number(first) / number(second));
      case 'gt':
        return (first as number) > (second as number);
      default:
        return assert.fail(`the function ${word} is not known here`);
    }
  }
}

type Values = Record<string, unknown>;

/** Merges given values over those of the chart, as Helm does. */
function merged(base: Values, over: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = Object.entries(over).map(([name, value]) => [
    name,
    isMap(value) && isMap(base[name]) ? merged(base[name], value) : value,
  ]);
  return { ...base, ...Object.fromEntries(entries) };
}

const read = (name: string) => readFile(path.join(chartFolder, name), 'utf8');

/** The values of the chart, overridden by these. */
export async function chartValues(given: Values): Promise<Values> {
  return merged(parseYaml(await read('values.yaml')), given);
}

/** The objects that the chart renders with these values, by their file. */
export async function renderChart(values: Values): Promise<Map<string, unknown>> {
  const chart = parseYaml(await read('Chart.yaml'));
  const dot = {
    Values: values,
    Release: { Name: 'postil', Service: 'Helm' },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  };
  const renderer = new Renderer();
  renderer.define(await read('templates/_helpers.tpl'));
  const objects = new Map<string, unknown>();
  for (const name of (await readdir(path.join(chartFolder, 'templates'))).sort()) {
    if (name === '_helpers.tpl') continue;
    const text = renderer.render(await read(`templates/${name}`), dot);
    if (!name.endsWith('.yaml') || text.trim() === '') continue;
    const [document, ...more] = parseAllDocuments(text, { strict: true });
    assert.deepEqual([document?.errors, more.length], [[], 0], `${name}:\n${text}`);
    objects.set(name, document!.toJS());
  }
  return objects;
}
