import type { Node } from 'web-tree-sitter';
import { type Expression, type FlowFile, type FlowFunction, maxDepth, type Statement } from '../../form.ts';
import { type Case, chosenFrom, updatedValue } from '../common.ts';
import { childrenOf, lineOf, translateTree } from '../tree-nodes.ts';
import { GoExpressions } from './expressions.ts';

/** Translates Go to the form that the engine runs; undefined if the text does not parse. */
export function translateGo(path: string, text: string): Promise<FlowFile | undefined> {
  // Internal packages cannot be called from outside.
  const isInternal = /(?:^|\/)(?:internal|cmd)\//.test(path);
  return translateTree(path, text, 'go', (root) => new GoStatements(root, isInternal).file(root));
}

/** Calls that do not return. */
const ends = /^(?:panic|os\.Exit|log\.(?:Fatal|Panic)(?:f|ln)?|runtime\.Goexit)$/;

class GoStatements extends GoExpressions {
  readonly #isInternal: boolean;

  constructor(root: Node, isInternal: boolean) {
    super(root);
    const name = childrenOf(root).find(({ type }) => type === 'package_clause');
    // A `main` package cannot be imported.
    this.#isInternal = isInternal || name?.text === 'package main';
  }

  file(root: Node): Statement[] {
    const children = childrenOf(root);
    const methods = children.filter(({ type }) => type === 'method_declaration');
    const classes = [...Map.groupBy(methods, receiverType)].map(
      ([name, own]): Statement => ({
        kind: 'class',
        name,
        methods: own.map((each) => this.#method(each, name)),
        body: [],
        line: lineOf(own[0]!),
      }),
    );
    return [...children.flatMap((node) => this.#declaration(node)), ...classes];
  }

  #declaration(node: Node): Statement[] {
    const line = lineOf(node);
    switch (node.type) {
      case 'import_declaration':
        return node.descendantsOfType('import_spec').flatMap((spec) => (spec === null ? [] : importOf(spec)));
      case 'function_declaration':
        return [{ kind: 'define', function: this.#named(node, this.#isPublic(node)), line }];
      default:
        return this.#statement(node, 1);
    }
  }

  #isPublic(node: Node): boolean {
    return !this.#isInternal && /^[A-Z]/.test(node.childForFieldName('name')?.text ?? '');
  }

  #named(node: Node, isExported: boolean): FlowFunction {
    return this.function(node, node.childForFieldName('name')?.text ?? '', 1, isExported);
  }

  /** A method with its receiver's name as a variable: each method can name it differently. */
  #method(node: Node, type: string): FlowFunction {
    const own = this.#named(node, this.#isPublic(node) && /^[A-Z]/.test(type));
    const [receiver] = childrenOf(node.childForFieldName('receiver'));
    const name = receiver?.childForFieldName('name')?.text;
    if (name === undefined || name === '_') return own;
    const { line } = own;
    const self: Statement = {
      kind: 'assign',
      target: { kind: 'name', name, line },
      value: { kind: 'name', name: 'this', line },
      line,
      isDeclared: true,
    };
    return { ...own, body: [self, ...own.body] };
  }

  body(block: Node | null, depth: number): Statement[] {
    if (block === null || depth > maxDepth) return [];
    return childrenOf(block).flatMap((node) => this.#statement(node, depth + 1));
  }

  #statement(node: Node, depth: number): Statement[] {
    const line = lineOf(node);
    const field = (name: string) => node.childForFieldName(name);
    if (depth > maxDepth) return [];
    switch (node.type) {
      case 'expression_statement':
      case 'go_statement':
      case 'defer_statement':
        return this.#done(childrenOf(node)[0] ?? null, depth, line);
      case 'short_var_declaration':
      case 'assignment_statement':
        return [this.#assignment(node, depth, line)];
      case 'var_declaration':
      case 'const_declaration':
        return node
          .descendantsOfType(['var_spec', 'const_spec'])
          .flatMap((spec) => (spec === null ? [] : [this.#variable(spec, depth)]));
      case 'return_statement': {
        const [value] = childrenOf(node);
        return [{ kind: 'return', value: value === undefined ? null : this.#alone(value, depth), line }];
      }
      case 'break_statement':
      case 'continue_statement':
        return [{ kind: 'leave', isOfLoop: true, line }];
      case 'if_statement':
        return this.#if(node, depth, line);
      case 'for_statement':
        return this.#for(node, depth, line);
      case 'expression_switch_statement':
      case 'type_switch_statement':
      case 'select_statement': {
        const first = field('initializer');
        const before = first === null ? [] : this.#statement(first, depth + 1);
        return [...before, ...this.#switch(node, depth, line)];
      }
      case 'block':
      case 'statement_list':
        return this.body(node, depth);
      case 'labeled_statement':
        return childrenOf(node).flatMap((child) => this.#statement(child, depth + 1));
      default:
        return [];
    }
  }

  #done(node: Node | null, depth: number, line: number): Statement[] {
    const done: Statement = { kind: 'do', value: this.expression(node, depth), line };
    const isEnd = ends.test(node?.childForFieldName('function')?.text ?? '');
    return isEnd ? [done, { kind: 'leave', line }] : [done];
  }

  #variable(spec: Node, depth: number): Statement {
    const line = lineOf(spec);
    const value = spec.childForFieldName('value');
    const names = spec.childrenForFieldName('name').filter((name) => name?.isNamed === true) as Node[];
    return {
      kind: 'assign',
      target: this.targets(names, depth),
      value:
        value === null
          ? this.emptyOf(spec.childForFieldName('type')?.text ?? '', line)
          : this.#alone(value, depth),
      line,
      isDeclared: true,
    };
  }

  /** The only expression of a list, or the whole list. */
  #alone(node: Node | null, depth: number): Expression {
    const children = node?.type === 'expression_list' ? childrenOf(node) : [];
    return this.expression(children.length === 1 ? children[0]! : node, depth);
  }

  #assignment(node: Node, depth: number, line: number): Statement {
    const target = this.target(node.childForFieldName('left'), depth);
    const value = this.#alone(node.childForFieldName('right'), depth);
    if (node.type === 'short_var_declaration')
      return { kind: 'assign', target, value, line, isDeclared: true };
    const sign = node.childForFieldName('operator')?.text ?? '=';
    if (sign === '=' || target.kind === 'apart') return { kind: 'assign', target, value, line };
    return { kind: 'assign', target, value: updatedValue(sign, target, value, line), line };
  }

  #if(node: Node, depth: number, line: number): Statement[] {
    const first = node.childForFieldName('initializer');
    const otherwise = node.childForFieldName('alternative');
    const condition = node.childForFieldName('condition');
    return [
      ...(first === null ? [] : this.#statement(first, depth + 1)),
      {
        kind: 'branch',
        condition: this.#lookedUp(first, condition, depth) ?? this.expression(condition, depth),
        whenTrue: this.body(node.childForFieldName('consequence'), depth),
        whenFalse: otherwise === null ? [] : this.#statement(otherwise, depth + 1),
        line,
      },
    ];
  }

  /** The lookup in `_, ok := allowed[name]; ok`, as a condition; null for other statements. */
  #lookedUp(first: Node | null, condition: Node | null, depth: number): Expression | null {
    const right = first?.childForFieldName('right');
    const table = right?.type === 'expression_list' ? childrenOf(right)[0] : right;
    const ok = childrenOf(first?.childForFieldName('left') ?? null)[1]?.text;
    if (table?.type !== 'index_expression' || ok === undefined) return null;
    const asked = this.expression(table, depth);
    if (condition?.text === ok) return asked;
    return condition?.text === `!${ok}`
      ? { kind: 'operation', operator: 'not', operands: [asked], line: lineOf(condition) }
      : null;
  }

  #for(node: Node, depth: number, line: number): Statement[] {
    const body = this.body(node.childForFieldName('body'), depth);
    const range = childrenOf(node).find(({ type }) => type === 'range_clause');
    if (range !== undefined) {
      const left = childrenOf(range.childForFieldName('left'));
      const target = this.targets(left.slice(left.length > 1 ? 1 : 0, 2), depth);
      const of = this.expression(range.childForFieldName('right'), depth);
      return [{ kind: 'loop', over: { target, of, isKeys: left.length < 2 }, condition: null, body, line }];
    }
    const clause = childrenOf(node).find(({ type }) => type === 'for_clause');
    const first = clause?.childForFieldName('initializer') ?? null;
    const before = first === null ? [] : this.#statement(first, depth + 1);
    return [...before, { kind: 'loop', over: null, condition: null, body, line }];
  }

  #switch(node: Node, depth: number, line: number): Statement[] {
    const value = node.childForFieldName('value');
    const isOfValues = node.type === 'expression_switch_statement';
    const subject = value === null || !isOfValues ? null : this.expression(value, depth);
    const cases = childrenOf(node)
      .filter(({ type }) => /_case$/.test(type))
      .map((each): Case => {
        const list = each.childForFieldName('value');
        const own = childrenOf(each).filter((child) => child.id !== list?.id);
        const isDefault = each.type === 'default_case';
        return {
          values: isDefault
            ? []
            : isOfValues
              ? childrenOf(list).map((child) => this.expression(child, depth))
              : [{ kind: 'other', parts: [], line }],
          body: own.flatMap((child) => this.#statement(child, depth + 1)),
          line: lineOf(each),
        };
      });
    return [chosenFrom(subject, cases, line)];
  }
}

function importOf(spec: Node): Statement[] {
  const line = lineOf(spec);
  const from = (spec.childForFieldName('path')?.text ?? '').slice(1, -1);
  const name = spec.childForFieldName('name')?.text ?? from.replace(/\/v\d+$/, '').replace(/.*\//, '');
  const value: Expression = { kind: 'import', from, imported: '*', line };
  return [{ kind: 'assign', target: { kind: 'name', name, line }, value, line }];
}

/** `Handler` of `func (h *Handler[T]) Get()`. */
function receiverType(node: Node): string {
  const [receiver] = childrenOf(node.childForFieldName('receiver'));
  return /^\*?(\w*)/.exec(receiver?.childForFieldName('type')?.text ?? '')?.[1] ?? '';
}
