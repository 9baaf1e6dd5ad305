import type { Node } from 'web-tree-sitter';
import {
  type Entry,
  type Expression,
  type FlowFunction,
  type FlowParameter,
  maxDepth,
  nothing,
  type Statement,
  type Target,
} from '../../form.ts';
import { numberOf, operationOf, targetOf } from '../common.ts';
import { binaryParts, childrenOf, lineOf } from '../tree-nodes.ts';

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '\n': '',
};

/** Translates expressions and functions of Python to the form that the engine runs. */
export abstract class PythonExpressions {
  abstract body(block: Node | null, depth: number): Statement[];

  expression(node: Node | null, depth: number): Expression {
    if (node === null) return nothing(0);
    const line = lineOf(node);
    if (depth > maxDepth) return nothing(line);
    const next = (child: Node | null) => this.expression(child, depth + 1);
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'identifier':
        return { kind: 'name', name: node.text, line };
      case 'string':
        return this.#text(node, depth, line);
      case 'concatenated_string':
        return { kind: 'text', parts: childrenOf(node).map(next), line };
      case 'integer':
      case 'float':
        return { kind: 'constant', value: numberOf(node.text), line };
      case 'true':
      case 'false':
        return { kind: 'constant', value: node.type === 'true', line };
      case 'none':
        return { kind: 'constant', value: null, line };
      case 'attribute':
        return {
          kind: 'member',
          of: next(field('object')),
          name: field('attribute')?.text ?? '',
          line: lineOf(field('attribute') ?? node),
        };
      case 'subscript': {
        const key = next(field('subscript'));
        const of = next(field('value'));
        return key.kind === 'constant' && typeof key.value === 'string'
          ? { kind: 'member', of, name: key.value, line }
          : { kind: 'element', of, key, line };
      }
      case 'call':
        return this.#call(node, depth, line);
      case 'parenthesized_expression':
      case 'await':
      case 'expression_statement':
        return next(childrenOf(node)[0] ?? null);
      case 'named_expression':
        return {
          kind: 'assign',
          target: this.target(field('name'), depth),
          value: next(field('value')),
          line,
        };
      case 'lambda':
        return { kind: 'function', function: this.function(node, '', [], depth + 1), line };
      default:
        return this.#composite(node, depth, line);
    }
  }

  #composite(node: Node, depth: number, line: number): Expression {
    const next = (child: Node | null) => this.expression(child, depth + 1);
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'binary_operator':
        return this.#binary(node, depth, line);
      case 'boolean_operator':
        return operationOf(field('operator')?.text ?? '', [next(field('left')), next(field('right'))], line);
      case 'not_operator':
        return { kind: 'operation', operator: 'not', operands: [next(field('argument'))], line };
      case 'comparison_operator':
        return this.#comparison(node, depth, line);
      case 'conditional_expression': {
        const [value = null, condition = null, otherwise = null] = childrenOf(node);
        return { kind: 'choice', condition: next(condition), values: [next(value), next(otherwise)], line };
      }
      case 'list':
      case 'tuple':
      case 'set':
      case 'expression_list':
        return {
          kind: 'collection',
          entries: childrenOf(node).map(
            (child): Entry =>
              child.type === 'list_splat'
                ? { name: null, value: next(childrenOf(child)[0] ?? null), isSpread: true }
                : { name: null, value: next(child) },
          ),
          isList: true,
          line,
        };
      case 'dictionary':
        return {
          kind: 'collection',
          entries: childrenOf(node).map((child) => this.#pair(child, depth)),
          isList: false,
          line,
        };
      case 'list_comprehension':
      case 'set_comprehension':
      case 'generator_expression':
      case 'dictionary_comprehension': {
        const parts = childrenOf(node);
        const loops = parts
          .filter(({ type }) => type === 'for_in_clause')
          .map((clause): Expression => {
            const of = next(clause.childForFieldName('right'));
            const value: Expression = { kind: 'element', of, key: nothing(line), line };
            return {
              kind: 'other',
              parts: [
                { kind: 'assign', target: this.target(clause.childForFieldName('left'), depth), value, line },
              ],
              line,
            };
          });
        const body = field('body');
        const value = body?.type === 'pair' ? next(body.childForFieldName('value')) : next(body);
        return { kind: 'choice', condition: null, values: [...loops, value], line };
      }
      case 'type':
        return next(childrenOf(node)[0] ?? null);
      default:
        return {
          kind: 'other',
          parts: /slice|ellipsis|unary/.test(node.type) ? [] : childrenOf(node).map(next),
          line,
        };
    }
  }

  #binary(node: Node, depth: number, line: number): Expression {
    return operationOf(
      node.childForFieldName('operator')?.text ?? '',
      binaryParts(node, 'binary_operator').map((part) => this.expression(part, depth + 1)),
      line,
    );
  }

  #comparison(node: Node, depth: number, line: number): Expression {
    const operands = childrenOf(node).map((child) => this.expression(child, depth + 1));
    const sign = node
      .childrenForFieldName('operators')
      .map((each) => each?.text)
      .join(' ')
      .replaceAll(/\s+/g, ' ');
    if (operands.length !== 2) return { kind: 'other', parts: operands, line };
    if (sign === 'not in')
      return {
        kind: 'operation',
        operator: 'not',
        operands: [{ kind: 'operation', operator: 'in', operands, line }],
        line,
      };
    return operationOf(sign, operands, line);
  }

  #pair(node: Node, depth: number): Entry {
    if (node.type !== 'pair')
      return { name: null, value: this.expression(childrenOf(node)[0] ?? null, depth + 1), isSpread: true };
    const key = this.expression(node.childForFieldName('key'), depth + 1);
    const value = this.expression(node.childForFieldName('value'), depth + 1);
    return key.kind === 'constant' ? { name: String(key.value), value } : { name: null, value, key };
  }

  /** A string literal: a constant, or the parts of an f-string. */
  #text(node: Node, depth: number, line: number): Expression {
    const parts: Expression[] = [];
    for (const child of node.namedChildren) {
      if (child === null) continue;
      if (child.type === 'string_content')
        parts.push({ kind: 'constant', value: unescaped(child.text), line: lineOf(child) });
      else if (child.type === 'interpolation')
        parts.push(this.expression(child.childForFieldName('expression'), depth + 1));
    }
    if (parts.length === 0) return { kind: 'constant', value: '', line };
    return parts.length === 1 && parts[0]!.kind === 'constant'
      ? parts[0]!
      : { kind: 'text', parts: [...parts, { kind: 'constant', value: '', line }], line };
  }

  #call(node: Node, depth: number, line: number): Expression {
    const callee = this.expression(node.childForFieldName('function'), depth + 1);
    const list = node.childForFieldName('arguments');
    const parts = list === null ? [] : list.type === 'argument_list' ? childrenOf(list) : [list];
    const given: Expression[] = [];
    const named: Entry[] = [];
    for (const part of parts) {
      if (part.type === 'keyword_argument')
        named.push({
          name: part.childForFieldName('name')?.text ?? null,
          value: this.expression(part.childForFieldName('value'), depth + 1),
        });
      else
        given.push(
          this.expression(/splat/.test(part.type) ? (childrenOf(part)[0] ?? null) : part, depth + 1),
        );
    }
    return {
      kind: 'call',
      callee,
      given,
      named,
      isNew: false,
      line: callee.kind === 'member' ? callee.line : line,
    };
  }

  target(node: Node | null, depth: number): Target {
    if (node === null) return { kind: 'apart', parts: [], line: 0 };
    const line = lineOf(node);
    if (/^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list)$/.test(node.type))
      return {
        kind: 'apart',
        line,
        parts: childrenOf(node).map((child, index) => ({
          name: /splat/.test(child.type) ? null : String(index),
          target: this.target(/splat/.test(child.type) ? (childrenOf(child)[0] ?? null) : child, depth + 1),
        })),
      };
    if (node.type === 'as_pattern_target') return this.target(childrenOf(node)[0] ?? null, depth + 1);
    return targetOf(this.expression(node, depth));
  }

  function(
    node: Node,
    name: string,
    decorators: readonly string[],
    depth: number,
    isExported = false,
  ): FlowFunction {
    const list = node.childForFieldName('parameters');
    const parameters = (list === null ? [] : childrenOf(list)).flatMap((child) =>
      this.#parameter(child, depth),
    );
    const body = node.childForFieldName('body');
    const line = lineOf(node);
    const statements: Statement[] =
      node.type === 'lambda'
        ? [{ kind: 'return', value: this.expression(body, depth + 1), line }]
        : this.body(body, depth);
    return { name, parameters, body: statements, decorators, isExported, line };
  }

  /** Leaves out `self` and `cls`, which are variables of the scope of the class. */
  #parameter(node: Node, depth: number): FlowParameter[] {
    if (/separator$/.test(node.type)) return [];
    const inner = node.type === 'typed_parameter' ? (childrenOf(node)[0] ?? node) : node;
    const isRest = /splat/.test(inner.type);
    const name = node.childForFieldName('name') ?? (isRest ? (childrenOf(inner)[0] ?? inner) : inner);
    if (name.text === 'self' || name.text === 'cls') return [];
    const value = node.childForFieldName('value');
    return [
      {
        target: { kind: 'name', name: name.text, line: lineOf(node) },
        type: node.childForFieldName('type')?.text.slice(0, 200) ?? '',
        decorators: [],
        isRest,
        standard: value === null ? null : this.expression(value, depth + 1),
      },
    ];
  }
}

const unescaped = (text: string) =>
  text.slice(0, 2_000).replaceAll(/\\(\n|.)/g, (whole, sign: string) => escapes[sign] ?? whole);
