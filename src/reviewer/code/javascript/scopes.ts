import type { Node } from './syntax.ts';

/** The names that a pattern such as `{ a, b: [c] }` declares. */
export function namesOfPattern(pattern: Node): string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((part: Node) => namesOfPattern(part.value ?? part.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((part: Node) => namesOfPattern(part));
    case 'AssignmentPattern':
      return namesOfPattern(pattern.left);
    case 'RestElement':
      return namesOfPattern(pattern.argument);
    case 'TSParameterProperty':
      return namesOfPattern(pattern.parameter);
    default:
      return [];
  }
}

const declared = (statement: Node): Node =>
  /^Export(?:Named|Default)Declaration$/.test(statement.type) ? statement.declaration : statement;

/** The names that the statements of a block declare in it. */
export function namesOfBlock(statements: readonly Node[]): string[] {
  return statements.flatMap((statement) => {
    const node = declared(statement);
    switch (node?.type) {
      case 'VariableDeclaration':
        return node.declarations.flatMap((part: Node) => namesOfPattern(part.id));
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
      case 'TSDeclareFunction':
      case 'TSEnumDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSModuleDeclaration':
      case 'TSImportEqualsDeclaration':
        return node.id?.name === undefined ? [] : [node.id.name];
      case 'ImportDeclaration':
        return node.specifiers.map((part: Node) => part.local.name);
      default:
        return [];
    }
  });
}

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSEmptyBodyFunctionExpression',
]);

export const isFunction = (node: Node): boolean => functions.has(node.type);

/** Nodes that can contain a `var`, which is visible in the whole function around it. */
const hasStatements = /(?:Statement|^SwitchCase|^CatchClause)$/;

/** Adds the names of `var` inside a function, which are visible in all of it. */
function addVars(node: Node, childrenOf: (node: Node) => Node[], names: string[]): void {
  if (node.type === 'VariableDeclaration' && node.kind === 'var')
    for (const { id } of node.declarations) names.push(...namesOfPattern(id));
  else if (hasStatements.test(node.type))
    for (const child of childrenOf(node)) addVars(child, childrenOf, names);
}

/** The names that are declared for the inside of a node; null if it is not a scope. */
export function namesInside(node: Node, childrenOf: (node: Node) => Node[]): string[] | null {
  if (isFunction(node)) {
    const own = node.type === 'FunctionExpression' && node.id !== null ? [node.id.name] : [];
    const parameters = node.params.flatMap((parameter: Node) => namesOfPattern(parameter));
    const types = (node.typeParameters?.params ?? []).map((part: Node) => part.name.name);
    const names = [...own, ...parameters, ...types];
    if (node.body !== null) addVars(node.body, childrenOf, names);
    return names;
  }
  switch (node.type) {
    case 'BlockStatement':
    case 'StaticBlock':
    case 'TSModuleBlock':
      return namesOfBlock(node.body);
    case 'SwitchStatement':
      return namesOfBlock(node.cases.flatMap((part: Node) => part.consequent));
    case 'ForStatement':
      return node.init === null ? [] : namesOfBlock([node.init]);
    case 'ForInStatement':
    case 'ForOfStatement':
      return namesOfBlock([node.left]);
    case 'CatchClause':
      return namesOfPattern(node.param);
    case 'ClassExpression':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration': {
      const types = (node.typeParameters?.params ?? []).map((part: Node) => part.name.name);
      return node.type === 'ClassExpression' && node.id !== null ? [...types, node.id.name] : types;
    }
    default:
      return null;
  }
}

/** Whether an identifier is a key, label or declaration rather than a use of a variable. */
export function isOnlyName(node: Node, parent: Node, above: Node): boolean {
  switch (parent.type) {
    case 'ArrayPattern':
    case 'RestElement':
      return true;
    case 'AssignmentPattern':
      return parent.left === node;
    case 'MemberExpression':
    case 'JSXMemberExpression':
    case 'MetaProperty':
      return parent.property === node && !parent.computed;
    case 'Property':
      return above?.type === 'ObjectPattern' || (parent.key === node && !parent.computed);
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'AccessorProperty':
      return parent.key === node && !parent.computed;
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'JSXAttribute':
    case 'TSEnumMember':
      return true;
    case 'ExportSpecifier':
      return parent.local !== node;
    case 'TSQualifiedName':
      return parent.right === node;
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'TSDeclareFunction':
    case 'VariableDeclarator':
      return parent.id === node;
    default:
      return false;
  }
}
