import type { ResultUse, Use } from '../code-facts.ts';
import { isFunction, namesInside } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

/** Places where an identifier is a name of something else, not a use. */
function isOnlyName(node: Node, parent: Node, above: Node): boolean {
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

const transparent = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);
const waits = new Set(['then', 'catch', 'finally']);

/** Whether a variable that is declared here serves as the value itself wherever it is used, and is waited for nowhere. */
type IsOnlyUsed = (name: string, around: readonly Node[]) => boolean;

/** What becomes of a value, seen from the nodes around it, the nearest last. */
function resultOf(value: Node, around: readonly Node[], isOnlyUsed: IsOnlyUsed = () => false): ResultUse {
  let node = value;
  for (let index = around.length - 1; index >= 0; index -= 1) {
    const parent = around[index];
    switch (true) {
      case transparent.has(parent.type):
        break;
      case parent.type === 'AwaitExpression' || (parent.type === 'ForOfStatement' && parent.await):
        return 'awaited';
      case parent.type === 'ConditionalExpression' && parent.test !== node:
      case parent.type === 'LogicalExpression' && parent.right === node:
        break;
      case parent.type === 'SequenceExpression':
        if (parent.expressions.at(-1) !== node) return 'dropped';
        break;
      case parent.type === 'ExpressionStatement':
        return 'dropped';
      case parent.type === 'VariableDeclarator':
        if (parent.id.type !== 'Identifier') return 'used';
        return isOnlyUsed(parent.id.name, around.slice(0, index)) ? 'used' : 'stored';
      case parent.type === 'AssignmentExpression':
        return parent.left.type === 'ObjectPattern' || parent.left.type === 'ArrayPattern'
          ? 'used'
          : 'stored';
      case parent.type === 'MemberExpression':
        return waits.has(parent.property.name) ? 'handed_on' : 'used';
      case parent.type === 'UnaryExpression':
        return parent.operator === 'void' ? 'handed_on' : 'used';
      case /^(?:BinaryExpression|TemplateLiteral|SpreadElement|ForOfStatement|ForInStatement|SwitchStatement|UpdateExpression)$/.test(
        parent.type,
      ):
      case /^(?:IfStatement|WhileStatement|DoWhileStatement|ConditionalExpression|ForStatement)$/.test(
        parent.type,
      ):
        return 'used';
      default:
        // Returned, passed to another function, put into a list or an object: somebody else may wait for it.
        return 'handed_on';
    }
    node = parent;
  }
  return 'dropped';
}

interface Variable {
  declarations: number;
  readonly results: ResultUse[];
}

/** Looks at the variables of each function, or of the whole file, once. */
function variableUses(childrenOf: Syntax['childrenOf']): IsOnlyUsed {
  const known = new Map<Node, ReadonlyMap<string, Variable>>();
  return (name, around) => {
    const place = around.findLastIndex((node) => isFunction(node));
    // What is exported, others may wait for.
    if (around.slice(place + 1).some(({ type }) => type.startsWith('Export'))) return false;
    const scope = around[Math.max(place, 0)];
    const variables = known.get(scope) ?? variablesIn(scope, childrenOf);
    known.set(scope, variables);
    const { declarations = 0, results = [] } = variables.get(name) ?? {};
    return declarations === 1 && results.length > 0 && results.every((result) => result === 'used');
  };
}

function variablesIn(scope: Node, childrenOf: Syntax['childrenOf']): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>();
  const walk = (node: Node, around: Node[]): void => {
    const parent = around.at(-1);
    if (node.type === 'Identifier' && parent !== undefined) {
      const variable = variables.get(node.name) ?? { declarations: 0, results: [] };
      variables.set(node.name, variable);
      if (parent.type === 'VariableDeclarator' && parent.id === node) variable.declarations += 1;
      else if (!isOnlyName(node, parent, around.at(-2))) variable.results.push(resultOf(node, around));
    }
    around.push(node);
    for (const child of childrenOf(node)) walk(child, around);
    around.pop();
  };
  walk(scope, []);
  return variables;
}

/** Uses of names at the top of the file. A name that is declared again on the way is another thing. */
export function readUses({ program, lineOf, childrenOf }: Syntax, isKnown: (name: string) => boolean): Use[] {
  const uses: Use[] = [];
  const isOnlyUsed = variableUses(childrenOf);
  const hidden = new Map<string, number>();

  function addUse(node: Node, around: readonly Node[]): void {
    const members: string[] = [];
    let last = node;
    let index = around.length - 1;
    for (; index >= 0; index -= 1) {
      const parent = around[index];
      const isPlainMember =
        (parent.type === 'MemberExpression' || parent.type === 'JSXMemberExpression') &&
        parent.object === last &&
        !parent.computed;
      const isTypeMember = parent.type === 'TSQualifiedName' && parent.left === last;
      if (isPlainMember) members.push(parent.property.name);
      else if (isTypeMember) members.push(parent.right.name);
      else if (!transparent.has(parent.type)) break;
      last = parent;
    }
    const parent = around[index];
    const isNew = parent?.type === 'NewExpression' && parent.callee === last;
    const isCall = isNew || (parent?.type === 'CallExpression' && parent.callee === last);
    uses.push({
      name: node.name,
      members,
      line: lineOf(node.start),
      call: isCall ? argumentsOf(parent) : null,
      isNew,
      result: isCall ? resultOf(parent, around.slice(0, index), isOnlyUsed) : 'used',
    });
  }

  function walk(node: Node, around: Node[]): void {
    const parent = around.at(-1);
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const isUse =
        parent !== undefined &&
        !isOnlyName(node, parent, around.at(-2)) &&
        isKnown(node.name) &&
        !hidden.get(node.name);
      const isTag =
        node.type === 'Identifier' || /^[A-Z]/.test(node.name) || parent?.type === 'JSXMemberExpression';
      if (isUse && isTag) addUse(node, around);
    }
    if (node.type === 'JSXClosingElement') return;
    const inside = parent === undefined ? null : namesInside(node, childrenOf);
    for (const name of inside ?? []) hidden.set(name, (hidden.get(name) ?? 0) + 1);
    around.push(node);
    for (const child of childrenOf(node)) walk(child, around);
    around.pop();
    for (const name of inside ?? []) hidden.set(name, hidden.get(name)! - 1);
  }

  walk(program, []);
  return uses;
}

function argumentsOf(call: Node): Use['call'] {
  const given: Node[] = call.arguments;
  return {
    count: given.length,
    isOpen: given.some(({ type }) => type === 'SpreadElement'),
    keywords: [],
  };
}
