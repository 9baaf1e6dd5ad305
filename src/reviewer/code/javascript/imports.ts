import type { Export, Import } from '../code-facts.ts';
import { isFunction, namesOfBlock, namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

const nameOf = (node: Node): string => node.name ?? node.value;

/** What a file gets from others: `import`, `export … from`, `require` of a plain text, and `import()` of one. */
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

  /** It has no name here. */
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

  /** Adds what the node itself brings; tells whether that is all that can be said of it. */
  function addFrom(node: Node, isGuarded: boolean, isTop: boolean): boolean {
    const from = node.type === 'VariableDeclarator' && isTop ? required(node.init) : undefined;
    const text = required(node);
    if (node.type === 'ImportDeclaration') addDeclaration(node);
    else if (/^Export(?:All|Named)Declaration$/.test(node.type) && node.source != null) addHandedOn(node);
    else if (node.type === 'TSImportEqualsDeclaration') {
      const { moduleReference, id } = node;
      if (moduleReference.type === 'TSExternalModuleReference')
        add(node, moduleReference.expression.value, id.name, '*');
    } else if (from !== undefined) addRequired(node.id, node, from, isGuarded);
    else if (text !== undefined) add(node, text, null, '', { isGuarded });
    else if (node.type === 'ImportExpression' && node.source.type === 'Literal')
      add(node, node.source.value, null, '', { isGuarded });
    else return false;
    return true;
  }

  function walk(node: Node, isGuarded: boolean, isTop: boolean): void {
    if (addFrom(node, isGuarded, isTop)) return;
    const isScope = /Function|^BlockStatement$/.test(node.type);
    for (const child of childrenOf(node))
      walk(child, isGuarded || node.type === 'TryStatement', isTop && !isScope);
  }

  for (const statement of program.body) walk(statement, false, true);
  return imports;
}

/** The names under which others can get something of this file, by `export` or by `module.exports`. */
export function readExports({ program, lineOf }: Syntax): { exports: Export[]; hasOpenExports: boolean } {
  const exports: Export[] = [];
  let hasOpenExports = false;
  const add = (
    node: Node,
    name: string,
    local: string | null,
    from: string | null = null,
    imported: string | null = null,
  ) => exports.push({ name, local, from, imported, line: lineOf(node.start) });

  function addCommon(node: Node): void {
    const { left, right, operator } = node;
    if (operator !== '=' || left.type !== 'MemberExpression') return;
    const isModule = isMember(left, 'module', 'exports');
    const isOne =
      (left.object.type === 'Identifier' && left.object.name === 'exports') ||
      isMember(left.object, 'module', 'exports');
    if (isModule && right.type === 'ObjectExpression') {
      for (const part of right.properties) {
        if (part.type !== 'Property' || part.computed) hasOpenExports = true;
        else add(part, nameOf(part.key), part.value.type === 'Identifier' ? part.value.name : null);
      }
      add(node, 'default', null);
    } else if (isModule) {
      // Whatever it is may have members that nobody can list.
      hasOpenExports = true;
      add(node, 'default', right.type === 'Identifier' ? right.name : null);
    } else if (isOne) {
      if (left.computed) hasOpenExports = true;
      else add(node, nameOf(left.property), right.type === 'Identifier' ? right.name : null);
    }
  }

  for (const node of program.body) {
    if (node.type === 'ExportAllDeclaration')
      add(node, node.exported === null ? '*' : nameOf(node.exported), null, node.source.value, '*');
    else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      // Of an object, or the result of a call, nothing is known but that it is there.
      const unnamed = isFunction(declaration) || declaration.type === 'ClassDeclaration' ? 'default' : null;
      add(
        node,
        'default',
        declaration.id?.name ?? (declaration.type === 'Identifier' ? declaration.name : unnamed),
      );
    } else if (node.type === 'ExportNamedDeclaration') {
      const from = node.source?.value ?? null;
      for (const part of node.specifiers) {
        const imported = nameOf(part.local);
        add(
          part,
          nameOf(part.exported),
          from === null ? imported : null,
          from,
          from === null ? null : imported,
        );
      }
      if (node.declaration !== null) for (const name of namesOfBlock([node])) add(node, name, name);
    } else if (node.type === 'TSExportAssignment') {
      hasOpenExports = true;
      add(node, 'default', node.expression.name ?? null);
    } else if (node.type === 'ExpressionStatement') {
      if (node.expression.type === 'AssignmentExpression') addCommon(node.expression);
      else if (/\b(?:exports)\b/.test(node.expression.callee?.object?.name ?? '')) hasOpenExports = true;
      else if (
        node.expression.arguments?.some(
          (given: Node) => given.name === 'exports' || isMember(given, 'module', 'exports'),
        )
      )
        hasOpenExports = true;
    }
  }
  return { exports, hasOpenExports };
}

function isMember(node: Node, object: string, property: string): boolean {
  return (
    node?.type === 'MemberExpression' &&
    !node.computed &&
    node.object.name === object &&
    node.property.name === property
  );
}
