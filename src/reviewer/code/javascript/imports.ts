import type { Import } from '../code-facts.ts';
import { namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

/** The name of an identifier, or of a string literal in its place. */
export const nameOf = (node: Node): string => node.name ?? node.value;

/** Reads the imports of a file: `import`, `export … from`, and `require` and `import()` of a string literal. */
export function readImports({ program, lineOf, childrenOf }: Syntax): Import[] {
  const imports: Import[] = [];

  function add(
    node: Node,
    from: string,
    local: string | null,
    imported: string,
    more: Partial<Import> = {},
  ): void {
    imports.push({
      local,
      from,
      imported,
      line: lineOf(node.start),
      isType: false,
      isGuarded: false,
      ...more,
    });
  }

  function addDeclaration(node: Node): void {
    const isType = node.importKind === 'type';
    const from = node.source.value;
    if (node.specifiers.length === 0) add(node, from, null, '', { isType });
    for (const part of node.specifiers) {
      const imported =
        part.type === 'ImportSpecifier'
          ? nameOf(part.imported)
          : part.type === 'ImportDefaultSpecifier'
            ? 'default'
            : '*';
      add(part, from, part.local.name, imported, { isType: isType || part.importKind === 'type' });
    }
  }

  /** A re-exported name has no name in this file. */
  function addHandedOn(node: Node): void {
    const from = node.source.value;
    const isType = node.exportKind === 'type';
    if (node.type === 'ExportAllDeclaration') add(node, from, null, '', { isType });
    else
      for (const part of node.specifiers)
        add(part, from, null, nameOf(part.local), { isType: isType || part.exportKind === 'type' });
  }

  function required(node: Node): string | undefined {
    const isCall =
      node?.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'require';
    const [given] = isCall ? node.arguments : [];
    return given?.type === 'Literal' && typeof given.value === 'string' ? given.value : undefined;
  }

  function addRequired(id: Node, node: Node, from: string, isGuarded: boolean): void {
    const isApart = id.type === 'ObjectPattern';
    if (!isApart)
      add(node, from, id.type === 'Identifier' ? id.name : null, id.type === 'Identifier' ? '*' : '', {
        isGuarded,
      });
    for (const part of isApart ? id.properties : []) {
      const [local] = namesOfPattern(part.value ?? part.argument);
      if (part.type !== 'Property' || part.computed || local === undefined) continue;
      add(part, from, local, nameOf(part.key), { isGuarded });
    }
  }

  /** `const { load } = await import('./cart')`. Inside a function, uses of the local name are not followed, so it has none. */
  function addAwaited({ id, init }: Node, isGuarded: boolean, isTop: boolean): boolean {
    const node = init?.type === 'AwaitExpression' ? init.argument : null;
    if (node?.type !== 'ImportExpression' || node.source.type !== 'Literal') return false;
    const from = node.source.value;
    if (id.type === 'Identifier' && isTop) add(node, from, id.name, '*', { isGuarded });
    else if (id.type !== 'ObjectPattern') add(node, from, null, '', { isGuarded });
    for (const part of id.type === 'ObjectPattern' ? id.properties : []) {
      if (part.type !== 'Property' || part.computed) continue;
      // A name with a default may be missing in the module.
      const isPlain = part.value.type === 'Identifier';
      add(part, from, isPlain && isTop ? part.value.name : null, nameOf(part.key), {
        isGuarded: isGuarded || part.value.type === 'AssignmentPattern',
      });
    }
    return true;
  }

  /** `const load = require('./cart').load` imports one name. */
  function addMember({ id, init }: Node, isGuarded: boolean): boolean {
    const from = init?.type === 'MemberExpression' && !init.computed ? required(init.object) : undefined;
    if (from === undefined || id.type !== 'Identifier') return false;
    add(init, from, id.name, nameOf(init.property), { isGuarded });
    return true;
  }

  /** Adds the imports of the node itself; returns whether its children need not be searched. */
  function addFrom(node: Node, isGuarded: boolean, isTop: boolean): boolean {
    const isVariable = node.type === 'VariableDeclarator' && isTop;
    const from = isVariable ? required(node.init) : undefined;
    const text = required(node);
    if (node.type === 'ImportDeclaration') addDeclaration(node);
    else if (/^Export(?:All|Named)Declaration$/.test(node.type) && node.source != null) addHandedOn(node);
    else if (node.type === 'TSImportEqualsDeclaration') {
      const { moduleReference, id } = node;
      if (moduleReference.type === 'TSExternalModuleReference')
        add(node, moduleReference.expression.value, id.name, '*');
    } else if (from !== undefined) addRequired(node.id, node, from, isGuarded);
    else if (isVariable && addMember(node, isGuarded)) return true;
    else if (node.type === 'VariableDeclarator' && addAwaited(node, isGuarded, isTop)) return true;
    else if (text !== undefined) add(node, text, null, '', { isGuarded });
    else if (node.type === 'ImportExpression' && node.source.type === 'Literal')
      add(node, node.source.value, null, '', { isGuarded });
    else return false;
    return true;
  }

  function walk(node: Node, isGuarded: boolean, isTop: boolean): void {
    if (addFrom(node, isGuarded, isTop)) return;
    const isScope = /Function|^BlockStatement$/.test(node.type);
    const mayFail = isGuarded || node.type === 'TryStatement' || dealsWithFailure(node);
    for (const child of childrenOf(node)) walk(child, mayFail, isTop && !isScope);
  }

  for (const statement of program.body) walk(statement, false, true);
  return imports;
}

/** Whether it is `import('x').catch(…)`, `import('x').then(…, …)` or `Promise.allSettled([import('x')])`. */
function dealsWithFailure({ type, callee, arguments: given }: Node): boolean {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
  const name = callee.property.name;
  return name === 'catch' || name === 'allSettled' || (name === 'then' && given.length > 1);
}
