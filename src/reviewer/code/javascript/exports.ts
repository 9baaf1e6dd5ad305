import type { Export } from '../code-facts.ts';
import { definitionOf } from './definitions.ts';
import { nameOf } from './imports.ts';
import { isFunction, namesOfBlock } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

interface GivenNames {
  readonly exports: Export[];
  /** There may be more exports, which cannot be listed. */
  readonly hasOpenExports: boolean;
}

/** Reads the exports of a file, by `export` or by `module.exports`. */
export function readExports(syntax: Syntax): GivenNames {
  const { program, lineOf } = syntax;
  const exports: Export[] = [];
  const add = (
    node: Node,
    name: string,
    local: string | null,
    from: string | null = null,
    imported: string | null = null,
  ) => exports.push({ name, local, from, imported, line: lineOf(node.start) });

  for (const node of program.body) {
    if (node.type === 'ExportAllDeclaration')
      add(node, node.exported === null ? '*' : nameOf(node.exported), null, node.source.value, '*');
    else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node;
      // Of an exported object or call result, only its existence is known.
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
        const [local, there] = from === null ? [imported, null] : [null, imported];
        add(part, nameOf(part.exported), local, from, there);
      }
      if (node.declaration !== null) for (const name of namesOfBlock([node])) add(node, name, name);
    } else if (node.type === 'TSExportAssignment') add(node, 'default', node.expression.name ?? null);
  }
  const isAssigned = program.body.some(({ type }: Node) => type === 'TSExportAssignment');
  const assigned = readCommonExports(syntax);
  return {
    exports: [...exports, ...assigned.exports],
    hasOpenExports: assigned.hasOpenExports || isAssigned,
  };
}

/** The name for the value that `require` returns. */
const wholeModule = 'module.exports';

/** Reads the CommonJS exports `exports.name = …`, `module.exports.name = …` and `module.exports = { … }`. */
function readCommonExports(syntax: Syntax): GivenNames {
  const exports: Export[] = [];
  /** The assignment targets that are understood; any other use of the exports makes them open. */
  const read = new Set<Node>();
  let hasOpenExports = false;

  function add(node: Node, name: string, value: Node | null): void {
    const isCallable = value !== null && isFunction(value);
    exports.push({
      name,
      local: value?.type === 'Identifier' ? value.name : null,
      from: null,
      imported: null,
      line: syntax.lineOf(node.start),
      ...(isCallable ? { definition: definitionOf(syntax, name, 'function', node, value) } : {}),
    });
  }

  function addMembers(object: Node): void {
    for (const part of object.properties) {
      const isPlain = part.type === 'Property' && !part.computed;
      if (isPlain) add(part, nameOf(part.key), part.kind === 'init' ? part.value : null);
      else hasOpenExports = true;
    }
  }

  function addAssigned(statement: Node): void {
    const targets: Node[] = [];
    let right = statement.expression;
    // `exports.a = exports.b = …` exports both.
    for (; isAssignment(right); right = right.right) targets.push(right.left);
    for (const target of targets) {
      if (isExports(target)) {
        const isObject = right.type === 'ObjectExpression';
        if (isObject) addMembers(right);
        // Any other value may have members that cannot be listed.
        else hasOpenExports = true;
        add(statement, 'default', isObject ? null : right);
        add(statement, wholeModule, isObject ? null : right);
      } else if (isGiven(target)) add(statement, nameOf(target.property), right);
      else continue;
      read.add(target);
    }
  }

  for (const node of syntax.program.body)
    if (node.type === 'ExpressionStatement' && isAssignment(node.expression)) addAssigned(node);
  const isModule = syntax.program.body.some(({ type }: Node) =>
    /^(?:Import|Export)\w*Declaration$/.test(type),
  );
  // In an ES module, `exports` is an ordinary name. In CommonJS, the default import has all exports, too.
  if (isModule) return { exports, hasOpenExports };
  if (!exports.some(({ name }) => name === 'default')) add(syntax.program, 'default', null);
  return { exports, hasOpenExports: hasOpenExports || givesOtherwise(syntax, read) };
}

const isAssignment = ({ type, operator }: Node) => type === 'AssignmentExpression' && operator === '=';

/** `module.exports`, or `exports` alone. */
function isExports(node: Node): boolean {
  return (
    (node?.type === 'Identifier' && node.name === 'exports') ||
    (node?.type === 'MemberExpression' &&
      !node.computed &&
      node.object.name === 'module' &&
      node.property.name === 'exports')
  );
}

const isGiven = (node: Node) => node.type === 'MemberExpression' && !node.computed && isExports(node.object);

/** Whether the exports are used in other ways than reading one of them: conditions, loops and helpers may add names. */
function givesOtherwise({ program, childrenOf }: Syntax, read: ReadonlySet<Node>): boolean {
  function search(node: Node, parent: Node): boolean {
    if (read.has(node)) return false;
    if (isExports(node)) return true;
    const isTarget =
      /^(?:AssignmentExpression|UpdateExpression)$/.test(parent?.type) && parent.right !== node;
    if (isGiven(node) && !isTarget) return false;
    const isName =
      node.type === 'MemberExpression' || node.type === 'Property' || node.type === 'MethodDefinition';
    return childrenOf(node).some(
      (child) =>
        !(isName && !node.computed && (child === node.property || child === node.key)) && search(child, node),
    );
  }

  return search(program, null);
}
