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

/** Types whose values cannot hold untrusted text, such as numbers and times. */
const plainType =
  /^\*?(?:\[\w*\])?(?:u?int(?:8|16|32|64|ptr)?|float(?:32|64)|bool|rune|complex\d+|time\.\w+|uuid\.UUID)$/;

/** Translates expressions and functions of Go to the form that the engine runs. */
export abstract class GoExpressions {
  /** The fields of structs that hold no text, by the name of the struct. */
  readonly #plainFields: ReadonlyMap<string, readonly string[]>;

  constructor(root: Node) {
    this.#plainFields = new Map(
      root.descendantsOfType('type_spec').flatMap((spec) => {
        const type = spec?.childForFieldName('type');
        return type?.type === 'struct_type'
          ? [[spec!.childForFieldName('name')?.text ?? '', plainFieldsOf(type)] as const]
          : [];
      }),
    );
  }

  abstract body(block: Node | null, depth: number): Statement[];

  expression(node: Node | null, depth: number): Expression {
    if (node === null) return nothing(0);
    const line = lineOf(node);
    if (depth > maxDepth) return nothing(line);
    const next = (child: Node | null) => this.expression(child, depth + 1);
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'identifier':
      case 'package_identifier':
      case 'type_identifier':
      case 'field_identifier':
        return { kind: 'name', name: node.text, line };
      case 'interpreted_string_literal':
      case 'raw_string_literal':
      case 'rune_literal':
        return { kind: 'constant', value: unquoted(node.text), line };
      case 'int_literal':
      case 'float_literal':
        return { kind: 'constant', value: numberOf(node.text), line };
      case 'true':
      case 'false':
        return { kind: 'constant', value: node.type === 'true', line };
      case 'nil':
        return { kind: 'constant', value: null, line };
      case 'selector_expression':
      case 'qualified_type': {
        const name = field('field') ?? field('name');
        const of = next(field('operand') ?? field('package'));
        return { kind: 'member', of, name: name?.text ?? '', line: lineOf(name ?? node) };
      }
      case 'call_expression':
        return this.#call(node, depth, line);
      case 'index_expression':
        return { kind: 'element', of: next(field('operand')), key: next(field('index')), line };
      case 'slice_expression':
        return { kind: 'element', of: next(field('operand')), key: nothing(line), line };
      case 'unary_expression':
        if (field('operator')?.text === '!')
          return { kind: 'operation', operator: 'not', operands: [next(field('operand'))], line };
        return /^(?:[&*]|<-)$/.test(field('operator')?.text ?? '') ? next(field('operand')) : nothing(line);
      case 'parenthesized_expression':
        return next(childrenOf(node)[0] ?? null);
      case 'type_assertion_expression':
      case 'type_conversion_expression':
        return plainType.test(field('type')?.text ?? '') ? nothing(line) : next(field('operand'));
      default:
        return this.#composite(node, depth, line);
    }
  }

  #composite(node: Node, depth: number, line: number): Expression {
    const next = (child: Node | null) => this.expression(child, depth + 1);
    switch (node.type) {
      case 'binary_expression': {
        const sign = node.childForFieldName('operator')?.text ?? '';
        const parts = binaryParts(node, 'binary_expression');
        return operationOf(sign, parts.map(next), line);
      }
      case 'func_literal':
        return { kind: 'function', function: this.function(node, '', depth + 1), line };
      case 'composite_literal':
        return this.#literal(
          node.childForFieldName('body'),
          depth,
          line,
          node.childForFieldName('type')?.text ?? '',
        );
      case 'literal_value':
        return this.#literal(node, depth, line);
      case 'literal_element':
        return next(childrenOf(node)[0] ?? null);
      case 'expression_list':
        return {
          kind: 'collection',
          entries: childrenOf(node).map((value) => ({ name: null, value: next(value) })),
          isList: true,
          line,
        };
      default:
        return nothing(line);
    }
  }

  /** The zero value of a type. The fields that can hold no text are known. */
  emptyOf(type: string, line: number): Expression {
    const entries = this.#plainEntries(type, line);
    return entries.length === 0 ? nothing(line) : { kind: 'collection', entries, isList: false, line };
  }

  #plainEntries(type: string, line: number): Entry[] {
    const fields = this.#plainFields.get(type.replace(/^[*&]/, '')) ?? [];
    return fields.map((name) => ({ name, value: nothing(line) }));
  }

  #literal(body: Node | null, depth: number, line: number, type = ''): Expression {
    const entries = childrenOf(body).map((child): Entry => {
      if (child.type !== 'keyed_element') return { name: null, value: this.expression(child, depth + 1) };
      const [key = null, value = null] = childrenOf(child);
      const name = key === null ? null : unquoted(key.text).slice(0, 100);
      return { name, value: this.expression(value, depth + 1) };
    });
    const isList = entries.length > 0 && entries.every(({ name }) => name === null);
    const plain = isList ? [] : this.#plainEntries(type, line);
    return { kind: 'collection', entries: [...plain, ...entries], isList, line };
  }

  #call(node: Node, depth: number, line: number): Expression {
    const list = node.childForFieldName('arguments');
    const [first] = childrenOf(list);
    const named = node.childForFieldName('function');
    if (named?.text === 'new' && first !== undefined) return this.emptyOf(first.text, line);
    // The grammar parses conversions such as `[]byte(text)` as calls.
    if (named !== null && /^(?:slice_type|parenthesized_type)$/.test(named.type))
      return this.expression(first ?? null, depth + 1);
    const callee = this.expression(named, depth + 1);
    const given = childrenOf(list).map((part) =>
      this.expression(part.type === 'variadic_argument' ? (childrenOf(part)[0] ?? null) : part, depth + 1),
    );
    const at = callee.kind === 'member' ? callee.line : line;
    return { kind: 'call', callee, given, named: [], isNew: false, line: at };
  }

  /** The left side of an assignment: one target, or several for a result with several values. */
  target(node: Node | null, depth: number): Target {
    const nodes = node?.type === 'expression_list' ? childrenOf(node) : node === null ? [] : [node];
    return this.targets(nodes, depth);
  }

  targets(nodes: readonly Node[], depth: number): Target {
    const targets = nodes.map((each) =>
      each.text === '_' ? targetOf(nothing(lineOf(each))) : targetOf(this.expression(each, depth)),
    );
    if (targets.length === 1) return targets[0]!;
    const parts = targets.map((target, index) => ({ name: String(index), target }));
    return { kind: 'apart', line: nodes[0] === undefined ? 0 : lineOf(nodes[0]), parts };
  }

  function(node: Node, name: string, depth: number, isExported = false): FlowFunction {
    const parameters = childrenOf(node.childForFieldName('parameters')).flatMap(parameterOf);
    const body = this.body(node.childForFieldName('body'), depth);
    return { name, parameters, body, decorators: [], isExported, line: lineOf(node) };
  }
}

const unquoted = (text: string) => text.replace(/^["'`]|["'`]$/g, '').slice(0, 2_000);

function plainFieldsOf(struct: Node): string[] {
  return struct
    .descendantsOfType('field_declaration')
    .flatMap((field) =>
      field !== null && plainType.test(field.childForFieldName('type')?.text ?? '')
        ? field.childrenForFieldName('name').map((name) => name?.text ?? '')
        : [],
    );
}

/** The parameters of a declaration: `a, b string` has two. */
function parameterOf(node: Node): FlowParameter[] {
  const type = node.childForFieldName('type')?.text.slice(0, 200) ?? '';
  return node
    .childrenForFieldName('name')
    .filter((name) => name !== null)
    .map((name) => ({
      target: { kind: 'name', name: name.text, line: lineOf(name) },
      type: plainType.test(type) ? 'int' : type,
      decorators: [],
      isRest: node.type === 'variadic_parameter_declaration',
      standard: null,
    }));
}
