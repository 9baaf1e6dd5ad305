import { type Node, parseJavaScript } from '../../../../code/javascript/syntax.ts';
import { type Expression, type FlowFile, type FlowFunction, maxDepth, type Statement } from '../../form.ts';
import { type Case, chosenFrom } from '../common.ts';
import { ScriptExpressions } from './expressions.ts';

/** Translates JavaScript and TypeScript to the form that the engine runs; undefined if the text does not parse. */
export async function translateJavaScript(path: string, text: string): Promise<FlowFile | undefined> {
  const syntax = await parseJavaScript(path, text);
  if (syntax === undefined) return undefined;
  const translation = new ScriptStatements(syntax, text);
  const body = translation.block(syntax.program.body, 0);
  return { path, language: 'javascript', body };
}

class ScriptStatements extends ScriptExpressions {
  block(nodes: readonly Node[], depth: number): Statement[] {
    return nodes.flatMap((node) => (node === null ? [] : this.#statement(node, depth + 1)));
  }

  #body(node: Node, depth: number): Statement[] {
    if (node == null) return [];
    return node.type === 'BlockStatement' ? this.block(node.body, depth) : this.#statement(node, depth + 1);
  }

  #statement(node: Node, depth: number): Statement[] {
    const line = this.line(node);
    if (depth > maxDepth) return [];
    switch (node.type) {
      case 'ExpressionStatement':
        return [{ kind: 'do', value: this.expression(node.expression, depth), line }];
      case 'VariableDeclaration':
        return node.declarations.flatMap((part: Node): Statement[] =>
          part.init == null
            ? []
            : [
                {
                  kind: 'assign',
                  target: this.target(part.id, depth),
                  value: this.expression(part.init, depth),
                  line: this.line(part),
                  isDeclared: true,
                },
              ],
        );
      case 'FunctionDeclaration':
        return node.id == null || node.body == null
          ? []
          : [{ kind: 'define', function: this.function(node, node.id.name, depth), line }];
      case 'ClassDeclaration':
        return [this.#class(node, node.id?.name ?? 'default', depth)];
      case 'ReturnStatement':
        return [
          {
            kind: 'return',
            value: node.argument === null ? null : this.expression(node.argument, depth),
            line,
          },
        ];
      case 'ThrowStatement':
        return [
          { kind: 'do', value: this.expression(node.argument, depth), line },
          { kind: 'leave', line },
        ];
      case 'BreakStatement':
      case 'ContinueStatement':
        return [{ kind: 'leave', isOfLoop: true, line }];
      case 'IfStatement':
        return [
          {
            kind: 'branch',
            condition: this.expression(node.test, depth),
            whenTrue: this.#body(node.consequent, depth),
            whenFalse: this.#body(node.alternate, depth),
            line,
          },
        ];
      case 'SwitchStatement':
        return [this.#switch(node, depth)];
      case 'TryStatement':
        return [
          {
            kind: 'branch',
            condition: null,
            whenTrue: this.#body(node.block, depth),
            whenFalse: this.#body(node.handler?.body, depth),
            line,
          },
          ...this.#body(node.finalizer, depth),
        ];
      case 'LabeledStatement':
        return this.#statement(node.body, depth + 1);
      case 'BlockStatement':
        return this.block(node.body, depth);
      default:
        return this.#loopOrModule(node, depth, line);
    }
  }

  #loopOrModule(node: Node, depth: number, line: number): Statement[] {
    switch (node.type) {
      case 'ForStatement': {
        const before =
          node.init == null
            ? []
            : node.init.type === 'VariableDeclaration'
              ? this.#statement(node.init, depth + 1)
              : this.#done(node.init, depth);
        const body = [
          ...this.#body(node.body, depth),
          ...(node.update == null ? [] : this.#done(node.update, depth)),
        ];
        return [
          ...before,
          {
            kind: 'loop',
            over: null,
            condition: node.test == null ? null : this.expression(node.test, depth),
            body,
            line,
          },
        ];
      }
      case 'WhileStatement':
      case 'DoWhileStatement':
        return [
          {
            kind: 'loop',
            over: null,
            condition: this.expression(node.test, depth),
            body: this.#body(node.body, depth),
            line,
          },
        ];
      case 'ForInStatement':
      case 'ForOfStatement': {
        const left = node.left.type === 'VariableDeclaration' ? node.left.declarations[0].id : node.left;
        const over = {
          target: this.target(left, depth),
          of: this.expression(node.right, depth),
          isKeys: node.type === 'ForInStatement',
        };
        return [{ kind: 'loop', over, condition: null, body: this.#body(node.body, depth), line }];
      }
      case 'ImportDeclaration':
        return this.#import(node, line);
      case 'ExportNamedDeclaration':
        return this.#export(node, depth, line);
      case 'ExportDefaultDeclaration': {
        const { declaration } = node;
        if (/^(?:Function|Class)Declaration$/.test(declaration.type)) {
          const name = declaration.id?.name ?? 'default';
          const own =
            declaration.type === 'ClassDeclaration'
              ? [this.#class(declaration, name, depth)]
              : declaration.body == null
                ? []
                : [{ kind: 'define', function: this.function(declaration, name, depth), line } as const];
          return [...own, this.#exported('default', { kind: 'name', name, line }, line)];
        }
        return [this.#exported('default', this.expression(declaration, depth), line)];
      }
      default:
        return [];
    }
  }

  #done(node: Node, depth: number): Statement[] {
    return [{ kind: 'do', value: this.expression(node, depth), line: this.line(node) }];
  }

  #exported(name: string, value: Expression, line: number): Statement {
    return {
      kind: 'assign',
      target: { kind: 'member', of: { kind: 'name', name: 'exports', line }, name, line },
      value,
      line,
    };
  }

  #import(node: Node, line: number): Statement[] {
    const from: string = node.source.value;
    if (node.importKind === 'type') return [];
    return node.specifiers.map((part: Node): Statement => {
      const imported =
        part.type === 'ImportSpecifier'
          ? (part.imported.name ?? part.imported.value)
          : part.type === 'ImportDefaultSpecifier'
            ? 'default'
            : '*';
      return {
        kind: 'assign',
        target: { kind: 'name', name: part.local.name, line },
        value: { kind: 'import', from, imported, line },
        line,
      };
    });
  }

  #export(node: Node, depth: number, line: number): Statement[] {
    if (node.declaration != null) {
      const own = this.#statement(node.declaration, depth + 1);
      const names = own.flatMap((each) =>
        each.kind === 'define'
          ? [each.function.name]
          : each.kind === 'class'
            ? [each.name]
            : each.kind === 'assign' && each.target.kind === 'name'
              ? [each.target.name]
              : [],
      );
      return [...own, ...names.map((name) => this.#exported(name, { kind: 'name', name, line }, line))];
    }
    return node.specifiers.map((part: Node) => {
      const [local, given] = [part.local.name ?? part.local.value, part.exported.name ?? part.exported.value];
      const value: Expression =
        node.source == null
          ? { kind: 'name', name: local, line }
          : { kind: 'import', from: node.source.value, imported: local, line };
      return this.#exported(given, value, line);
    });
  }

  #switch(node: Node, depth: number): Statement {
    const cases = node.cases.map((each: Node): Case => {
      const body = this.block(each.consequent, depth);
      if (body.at(-1)?.kind === 'leave') body.pop();
      const values = each.test === null ? [] : [this.expression(each.test, depth)];
      return { values, body, line: this.line(each), fallsThrough: each.consequent.length === 0 };
    });
    return chosenFrom(this.expression(node.discriminant, depth), cases, this.line(node));
  }

  #class(node: Node, name: string, depth: number): Statement {
    const methods: FlowFunction[] = [];
    const body: Statement[] = [];
    for (const member of node.body.body) {
      const line = this.line(member);
      const key: string | undefined = member.key?.name ?? member.key?.value;
      if (member.type === 'MethodDefinition' && member.value?.body != null && key !== undefined)
        methods.push(this.function(member.value, String(key), depth, member));
      else if (member.type === 'PropertyDefinition' && member.value != null && key !== undefined) {
        if (/Function/.test(member.value.type))
          methods.push(this.function(member.value, String(key), depth, member));
        else
          body.push({
            kind: 'assign',
            target: { kind: 'member', of: { kind: 'name', name: 'this', line }, name: String(key), line },
            value: this.expression(member.value, depth),
            line,
          });
      }
    }
    return { kind: 'class', name, methods, body, line: this.line(node) };
  }
}
