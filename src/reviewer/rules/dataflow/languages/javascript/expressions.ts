import type { Node, Syntax } from '../../../../code/javascript/syntax.ts';
import {
  type CallExpression,
  type Entry,
  type Expression,
  type FlowFunction,
  type FlowParameter,
  maxDepth,
  nothing,
  type Statement,
  type Target,
} from '../../form.ts';
import { operationOf, summandsOf, targetOf, updatedValue } from '../common.ts';
import { partsOfPattern, withUnnamed } from './destructuring.ts';
import { partsOfElement } from './jsx.ts';

/** Longer regular expressions are cut off. */
const maxPattern = 500;

/** Translates expressions and functions of JavaScript to the form that the engine runs. */
export abstract class ScriptExpressions {
  readonly #syntax: Syntax;
  readonly #text: string;

  constructor(syntax: Syntax, text: string) {
    this.#syntax = syntax;
    this.#text = text;
  }

  abstract block(nodes: readonly Node[], depth: number): Statement[];

  line(node: Node): number {
    return this.#syntax.lineOf(node.start);
  }

  function(node: Node, name: string, depth: number, around: Node = node): FlowFunction {
    const parameters = node.params.map((each: Node) => this.#parameter(each, depth));
    const line = this.line(node);
    const body: Statement[] =
      node.body.type === 'BlockStatement'
        ? this.block(node.body.body, depth)
        : [{ kind: 'return', value: this.expression(node.body, depth), line: this.line(node.body) }];
    const properties = node.params.filter(
      (each: Node) => each.type === 'TSParameterProperty' && each.parameter.type === 'Identifier',
    );
    const kept = properties.map(({ parameter }: Node): Statement => {
      const own: Expression = { kind: 'name', name: parameter.name, line };
      return {
        kind: 'assign',
        target: { kind: 'member', of: { kind: 'name', name: 'this', line }, name: parameter.name, line },
        value: own,
        line,
      };
    });
    const isOpen =
      node.type !== 'ArrowFunctionExpression' && this.#text.slice(node.start, node.end).includes('arguments');
    const { given, first } = isOpen ? withUnnamed(parameters, line) : { given: parameters, first: [] };
    return {
      name,
      parameters: given,
      body: [...first, ...kept, ...body],
      decorators: (around.decorators ?? []).map((each: Node) => this.#source(each)),
      isExported: false,
      line,
    };
  }

  #source(node: Node): string {
    return this.#text.slice(node.start, Math.min(node.end, node.start + 200));
  }

  #parameter(node: Node, depth: number): FlowParameter {
    const inner = node.type === 'TSParameterProperty' ? node.parameter : node;
    const isRest = inner.type === 'RestElement';
    const target = isRest ? inner.argument : inner.type === 'AssignmentPattern' ? inner.left : inner;
    const type = target.typeAnnotation ?? inner.typeAnnotation;
    return {
      target: this.target(target, depth),
      type: type == null ? '' : this.#source(type.typeAnnotation ?? type),
      decorators: [...(node.decorators ?? []), ...(inner === node ? [] : (inner.decorators ?? []))].map(
        (each: Node) => this.#source(each),
      ),
      isRest,
      standard: null,
    };
  }

  target(node: Node, depth: number): Target {
    const line = this.line(node);
    const parts = partsOfPattern(node, (part) => this.target(part, depth + 1));
    if (parts !== null) return { kind: 'apart', line, parts };
    switch (node.type) {
      case 'AssignmentPattern':
        return this.target(node.left, depth);
      case 'TSAsExpression':
      case 'TSNonNullExpression':
        return this.target(node.expression, depth);
      default:
        return targetOf(this.expression(node, depth));
    }
  }

  expression(node: Node, depth: number): Expression {
    const line = this.line(node);
    if (depth > maxDepth) return nothing(line);
    const next = (child: Node) => this.expression(child, depth + 1);
    switch (node.type) {
      case 'Literal':
        if (node.regex != null)
          return { kind: 'pattern', source: node.regex.pattern.slice(0, maxPattern), line };
        return {
          kind: 'constant',
          value: typeof node.value === 'bigint' || typeof node.value === 'object' ? null : node.value,
          line,
        };
      case 'Identifier':
        return { kind: 'name', name: node.name, line };
      case 'ThisExpression':
        return { kind: 'name', name: 'this', line };
      case 'TemplateLiteral': {
        const parts = node.quasis.flatMap((quasi: Node, index: number) => [
          { kind: 'constant', value: quasi.value.cooked ?? '', line } as const,
          ...(index < node.expressions.length ? [next(node.expressions[index])] : []),
        ]);
        return { kind: 'text', parts, line };
      }
      case 'MemberExpression':
        return this.#member(node, depth);
      case 'CallExpression':
      case 'NewExpression':
        return this.#call(node, depth, line);
      case 'BinaryExpression':
      case 'LogicalExpression':
        return this.#operation(node, depth, line);
      case 'UnaryExpression':
        if (node.operator === '!')
          return { kind: 'operation', operator: 'not', operands: [next(node.argument)], line };
        if (node.operator === 'typeof')
          return { kind: 'operation', operator: 'type', operands: [next(node.argument)], line };
        if (node.operator === '-' && typeof node.argument.value === 'number')
          return { kind: 'constant', value: -node.argument.value, line };
        return { kind: 'other', parts: [next(node.argument)], line };
      case 'ConditionalExpression':
        return {
          kind: 'choice',
          condition: next(node.test),
          values: [next(node.consequent), next(node.alternate)],
          line,
        };
      case 'AssignmentExpression': {
        const target = this.target(node.left, depth + 1);
        const value = next(node.right);
        if (node.operator === '=') return { kind: 'assign', target, value, line };
        if (target.kind === 'apart') return value;
        const updated: Expression = /^(?:\|\||&&|\?\?)=$/.test(node.operator)
          ? { kind: 'choice', condition: null, values: [target, value], line }
          : updatedValue(node.operator, target, value, line);
        return { kind: 'assign', target, value: updated, line };
      }
      default:
        return this.#otherExpression(node, depth, line);
    }
  }

  #otherExpression(node: Node, depth: number, line: number): Expression {
    const next = (child: Node) => this.expression(child, depth + 1);
    switch (node.type) {
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return node.body == null
          ? nothing(line)
          : { kind: 'function', function: this.function(node, node.id?.name ?? '', depth + 1), line };
      case 'ObjectExpression':
        return {
          kind: 'collection',
          entries: node.properties.map((part: Node) => this.#entry(part, depth)),
          isList: false,
          line,
        };
      case 'ArrayExpression':
        return {
          kind: 'collection',
          entries: node.elements.map(
            (part: Node): Entry =>
              part === null
                ? { name: null, value: nothing(line) }
                : part.type === 'SpreadElement'
                  ? { name: null, value: next(part.argument), isSpread: true }
                  : { name: null, value: next(part) },
          ),
          isList: true,
          line,
        };
      case 'SequenceExpression': {
        const values: Expression[] = node.expressions.map(next);
        const before = values
          .slice(0, -1)
          .map((value): Expression => ({ kind: 'other', parts: [value], line }));
        return { kind: 'choice', condition: null, values: [values.at(-1) ?? nothing(line), ...before], line };
      }
      case 'AwaitExpression':
      case 'YieldExpression':
        return node.argument == null ? nothing(line) : next(node.argument);
      case 'ChainExpression':
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        return next(node.expression);
      case 'TaggedTemplateExpression':
        return { kind: 'other', parts: node.quasi.expressions.map(next), line };
      case 'ImportExpression':
        return node.source.type === 'Literal'
          ? this.#required(String(node.source.value), line)
          : nothing(line);
      case 'ClassExpression':
        return nothing(line);
      case 'JSXElement':
      case 'JSXFragment':
        return { kind: 'other', parts: partsOfElement(node, next, (each) => this.line(each)), line };
      default:
        return nothing(line);
    }
  }

  #entry(part: Node, depth: number): Entry {
    if (part.type === 'SpreadElement')
      return { name: null, value: this.expression(part.argument, depth + 1), isSpread: true };
    const value =
      part.value.type === 'FunctionExpression' && part.value.body != null
        ? ({
            kind: 'function',
            function: this.function(part.value, String(part.key.name ?? part.key.value ?? ''), depth + 1),
            line: this.line(part),
          } as const)
        : this.expression(part.value, depth + 1);
    if (part.computed) return { name: null, value, key: this.expression(part.key, depth + 1) };
    return { name: String(part.key.name ?? part.key.value), value };
  }

  /** Members, and calls of them, get the line of their name: in a long chain, it says more than the first line. */
  #member(node: Node, depth: number): Expression {
    const of = this.expression(node.object, depth + 1);
    const at = this.line(node.property);
    if (!node.computed) return { kind: 'member', of, name: node.property.name ?? '', line: at };
    const key = this.expression(node.property, depth + 1);
    return key.kind === 'constant' && typeof key.value === 'string'
      ? { kind: 'member', of, name: key.value, line: at }
      : { kind: 'element', of, key, line: at };
  }

  #required(from: string, line: number): Expression {
    return { kind: 'import', from, imported: '*', line };
  }

  #call(node: Node, depth: number, line: number): Expression {
    const given: Node[] = node.arguments;
    if (
      node.callee.type === 'Identifier' &&
      node.callee.name === 'require' &&
      given.length === 1 &&
      typeof given[0].value === 'string'
    )
      return this.#required(given[0].value, line);
    const callee = this.expression(node.callee, depth + 1);
    const call: CallExpression = {
      kind: 'call',
      callee,
      given: given.map((each) =>
        this.expression(each.type === 'SpreadElement' ? each.argument : each, depth + 1),
      ),
      named: [],
      isNew: node.type === 'NewExpression',
      line: callee.kind === 'member' ? callee.line : line,
    };
    return call;
  }

  #operation(node: Node, depth: number, line: number): Expression {
    const parts = summandsOf<Node>(node, (each) =>
      each === node || (each.type === 'BinaryExpression' && each.operator === '+' && node.operator === '+')
        ? [each.left, each.right]
        : null,
    );
    const operands = parts.map((part) => this.expression(part, depth + 1));
    if (node.operator === '??') return { kind: 'choice', condition: null, values: operands, line };
    return operationOf(node.operator, operands, line);
  }
}
