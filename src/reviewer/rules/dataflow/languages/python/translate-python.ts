import type { Node } from 'web-tree-sitter';
import { type Expression, type FlowFile, type FlowFunction, maxDepth, type Statement } from '../../form.ts';
import { type Case, chosenFrom, updatedValue } from '../common.ts';
import { childrenOf, lineOf, translateTree } from '../tree-nodes.ts';
import { PythonExpressions } from './expressions.ts';

/** Translates Python to the form that the engine runs; undefined if the text does not parse. */
export function translatePython(path: string, text: string): Promise<FlowFile | undefined> {
  return translateTree(path, text, 'python', (root) => new PythonStatements().module(root));
}

/** Calls that do not return. */
const ends = /^(?:abort|exit|quit|sys\.exit|os\._exit|flask\.abort)$/;

class PythonStatements extends PythonExpressions {
  module(root: Node): Statement[] {
    return childrenOf(root).flatMap((node) => this.#statement(node, 1, true));
  }

  body(block: Node | null, depth: number): Statement[] {
    if (block === null || depth > maxDepth) return [];
    return childrenOf(block).flatMap((node) => this.#statement(node, depth + 1, false));
  }

  #statement(node: Node, depth: number, isTop: boolean): Statement[] {
    const line = lineOf(node);
    const field = (name: string) => node.childForFieldName(name);
    switch (node.type) {
      case 'expression_statement':
        return childrenOf(node).flatMap((child) => this.#simple(child, depth));
      case 'return_statement': {
        const [value] = childrenOf(node);
        return [{ kind: 'return', value: value === undefined ? null : this.expression(value, depth), line }];
      }
      case 'raise_statement':
        return [{ kind: 'leave', line }];
      case 'break_statement':
      case 'continue_statement':
        return [{ kind: 'leave', isOfLoop: true, line }];
      case 'if_statement':
        return [this.#if(node, depth)];
      case 'for_statement': {
        const over = {
          target: this.target(field('left'), depth),
          of: this.expression(field('right'), depth),
          isKeys: false,
        };
        return [{ kind: 'loop', over, condition: null, body: this.body(field('body'), depth), line }];
      }
      case 'while_statement':
        return [
          {
            kind: 'loop',
            over: null,
            condition: this.expression(field('condition'), depth),
            body: this.body(field('body'), depth),
            line,
          },
        ];
      case 'try_statement':
        return this.#try(node, depth, line);
      case 'with_statement':
        return this.#with(node, depth, line);
      case 'match_statement':
        return [this.#match(node, depth, line)];
      default:
        return this.#definition(node, depth, isTop, line);
    }
  }

  #definition(node: Node, depth: number, isTop: boolean, line: number): Statement[] {
    switch (node.type) {
      case 'function_definition':
      case 'decorated_definition':
      case 'class_definition': {
        const inner = node.childForFieldName('definition') ?? node;
        if (inner.type === 'class_definition') return [this.#class(inner, depth)];
        return [{ kind: 'define', function: this.#named(node, depth, isTop), line }];
      }
      case 'import_statement':
        return childrenOf(node).map((part) => this.#import(part, line));
      case 'import_from_statement':
        return this.#importFrom(node, line);
      default:
        return [];
    }
  }

  #named(node: Node, depth: number, isPublic: boolean): FlowFunction {
    const inner = node.childForFieldName('definition') ?? node;
    const name = inner.childForFieldName('name')?.text ?? '';
    const decorators =
      node === inner
        ? []
        : childrenOf(node)
            .filter(({ type }) => type === 'decorator')
            .map((each) => each.text.slice(0, 200));
    return this.function(inner, name, decorators, depth, isPublic && !name.startsWith('_'));
  }

  #simple(node: Node, depth: number): Statement[] {
    const line = lineOf(node);
    if (node.type === 'assignment' || node.type === 'augmented_assignment') {
      const right = node.childForFieldName('right');
      if (right === null) return [];
      const target = this.target(node.childForFieldName('left'), depth);
      const value: Expression =
        right.type === 'assignment'
          ? this.expression(right.childForFieldName('right'), depth)
          : this.expression(right, depth);
      const before = right.type === 'assignment' ? this.#simple(right, depth + 1) : [];
      if (node.type === 'assignment' || target.kind === 'apart')
        return [...before, { kind: 'assign', target, value, line }];
      const sign = node.childForFieldName('operator')?.text ?? '';
      return [{ kind: 'assign', target, value: updatedValue(sign, target, value, line), line }];
    }
    const value = this.expression(node, depth);
    const isEnd = node.type === 'call' && ends.test(node.childForFieldName('function')?.text ?? '');
    return [{ kind: 'do', value, line }, ...(isEnd ? [{ kind: 'leave', line } as const] : [])];
  }

  #if(node: Node, depth: number): Statement {
    const line = lineOf(node);
    const clauses = node.childrenForFieldName('alternative').filter((each) => each !== null);
    let otherwise: Statement[] = [];
    for (const clause of clauses.reverse()) {
      if (clause.type === 'else_clause') otherwise = this.body(clause.childForFieldName('body'), depth);
      else {
        const condition = this.expression(clause.childForFieldName('condition'), depth);
        otherwise = [
          {
            kind: 'branch',
            condition,
            whenTrue: this.body(clause.childForFieldName('consequence'), depth),
            whenFalse: otherwise,
            line: lineOf(clause),
          },
        ];
      }
    }
    return {
      kind: 'branch',
      condition: this.expression(node.childForFieldName('condition'), depth),
      whenTrue: this.body(node.childForFieldName('consequence'), depth),
      whenFalse: otherwise,
      line,
    };
  }

  #try(node: Node, depth: number, line: number): Statement[] {
    const clauses = childrenOf(node);
    const blockOf = (clause: Node) =>
      clause.childForFieldName('body') ?? childrenOf(clause).findLast(({ type }) => type === 'block') ?? null;
    const caught = clauses
      .filter(({ type }) => /^except/.test(type))
      .flatMap((clause) => this.body(blockOf(clause), depth));
    const after = clauses
      .filter(({ type }) => type === 'finally_clause')
      .flatMap((clause) => this.body(blockOf(clause), depth));
    const well = clauses
      .filter(({ type }) => type === 'else_clause')
      .flatMap((clause) => this.body(blockOf(clause), depth));
    return [
      {
        kind: 'branch',
        condition: null,
        whenTrue: [...this.body(node.childForFieldName('body'), depth), ...well],
        whenFalse: caught,
        line,
      },
      ...after,
    ];
  }

  #with(node: Node, depth: number, line: number): Statement[] {
    const items = node
      .descendantsOfType('with_item')
      .filter((item) => item !== null && item.parent?.parent?.id === node.id);
    const opened = items.flatMap((item): Statement[] => {
      const value = item!.childForFieldName('value');
      if (value?.type !== 'as_pattern') return [{ kind: 'do', value: this.expression(value, depth), line }];
      const [what = null] = childrenOf(value);
      return [
        {
          kind: 'assign',
          target: this.target(value.childForFieldName('alias'), depth),
          value: this.expression(what, depth),
          line,
        },
      ];
    });
    return [...opened, ...this.body(node.childForFieldName('body'), depth)];
  }

  #match(node: Node, depth: number, line: number): Statement {
    const subject = this.expression(node.childForFieldName('subject'), depth);
    const cases = childrenOf(node.childForFieldName('body') ?? node)
      .filter(({ type }) => type === 'case_clause')
      .map((clause): Case => {
        const patterns = childrenOf(clause).filter(({ type }) => type === 'case_pattern');
        const values = patterns.flatMap((pattern) =>
          /^_$/.test(pattern.text) ? [] : childrenOf(pattern).map((each) => this.expression(each, depth)),
        );
        const body = this.body(clause.childForFieldName('consequence'), depth);
        return { values, body, line: lineOf(clause) };
      });
    return chosenFrom(subject, cases, line);
  }

  #class(node: Node, depth: number): Statement {
    const name = node.childForFieldName('name')?.text ?? '';
    const members = childrenOf(node.childForFieldName('body') ?? node);
    const isFunction = (member: Node) =>
      (member.childForFieldName('definition') ?? member).type === 'function_definition';
    const methods = members
      .filter(isFunction)
      .map((member) => this.#named(member, depth, !name.startsWith('_')));
    const body = members
      .filter((member) => !isFunction(member))
      .flatMap((member) => this.#statement(member, depth + 1, false));
    return { kind: 'class', name, methods, body, line: lineOf(node) };
  }

  /** `import a.b` assigns to the member `b` of the variable `a`. */
  #import(part: Node, line: number): Statement {
    const alias = part.childForFieldName('alias')?.text;
    const from = (part.childForFieldName('name') ?? part).text;
    const value: Expression = { kind: 'import', from, imported: '*', line };
    const [first = from, ...rest] = from.split('.');
    const name: Expression = { kind: 'name', name: alias ?? first, line };
    if (alias !== undefined || rest.length === 0) return { kind: 'assign', target: name, value, line };
    const owner = rest
      .slice(0, -1)
      .reduce<Expression>((of, each) => ({ kind: 'member', of, name: each, line }), name);
    return { kind: 'assign', target: { kind: 'member', of: owner, name: rest.at(-1)!, line }, value, line };
  }

  #importFrom(node: Node, line: number): Statement[] {
    const from = node.childForFieldName('module_name')?.text ?? '';
    return childrenOf(node)
      .slice(1)
      .filter(({ type }) => type === 'dotted_name' || type === 'aliased_import')
      .map((part): Statement => {
        const imported = (part.childForFieldName('name') ?? part).text;
        const local = part.childForFieldName('alias')?.text ?? imported;
        return {
          kind: 'assign',
          target: { kind: 'name', name: local, line },
          value: { kind: 'import', from, imported, line },
          line,
        };
      });
  }
}
