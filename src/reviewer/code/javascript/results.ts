import type { ResultUse } from '../code-facts.ts';
import { isFunction, isOnlyName, namesOfPattern } from './scopes.ts';
import type { Node, Syntax } from './syntax.ts';

/** Nodes around a value that do not change it. */
export const transparent = new Set([
  'ChainExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);
const waits = new Set(['then', 'catch', 'finally']);

/** Built-in functions that use their argument as it is, without awaiting it. */
const plainFunctions =
  /^(?:console\.\w+|String|Number|Number\.\w+|BigInt|Boolean|parseInt|parseFloat|isNaN|isFinite|encodeURI(?:Component)?|JSON\.(?:stringify|parse)|Math\.\w+|Object\.(?:keys|values|entries|fromEntries)|Array\.(?:from|isArray)|Date\.parse|structuredClone)$/;
/** Built-in classes that read what they are created from at once. */
const plainClasses = /^(?:Date|Error|RangeError|TypeError|Map|Set|RegExp|URL)$/;

const nameOf = ({ type, object, property, name }: Node): string =>
  type === 'MemberExpression' ? `${object.name}.${property.name}` : (name ?? '');

/** Whether a variable that is declared here is only used as a plain value, and never awaited. */
type IsOnlyUsed = (name: string, around: readonly Node[]) => boolean;

/** What happens to a value, decided by its ancestor nodes, with the nearest one last. */
export function resultOf(
  value: Node,
  around: readonly Node[],
  isOnlyUsed: IsOnlyUsed = () => false,
): ResultUse {
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
        return waits.has(parent.property.name) ? 'passed_on' : 'used';
      case parent.type === 'UnaryExpression':
        return parent.operator === 'void' ? 'passed_on' : 'used';
      case parent.type === 'BinaryExpression' && parent.operator === 'instanceof':
        return 'passed_on';
      case parent.type === 'CallExpression' && parent.callee === node:
      case parent.type === 'CallExpression' && plainFunctions.test(nameOf(parent.callee)):
      case parent.type === 'NewExpression' && plainClasses.test(nameOf(parent.callee)):
      case isAsserted(node, parent, around.slice(0, index)):
      case isWrittenAsJson(around.slice(0, index + 1)):
      case /^(?:BinaryExpression|TemplateLiteral|SpreadElement|ForOfStatement|ForInStatement|SwitchStatement|UpdateExpression)$/.test(
        parent.type,
      ):
      case /^(?:IfStatement|WhileStatement|DoWhileStatement|ConditionalExpression|ForStatement)$/.test(
        parent.type,
      ):
        return 'used';
      default:
        // Returned, passed to another function, put into a list or an object: other code may await it.
        return 'passed_on';
    }
    node = parent;
  }
  return 'dropped';
}

const literals = /^(?:Literal|TemplateLiteral|UnaryExpression|ObjectExpression|ArrayExpression)$/;
const assertions = /^assert\.(?:deep|loose|not|strict)*(?:e|E)qual$/i;
const matchers =
  /^to(?:Be|Equal|StrictEqual|MatchObject|Contain|ContainEqual|HaveLength|Match|BeCloseTo|Be(?:Greater|Less)Than(?:OrEqual)?|BeTruthy|BeFalsy|BeNull|BeNaN|BeUndefined)$/;

/** Whether a test compares a value with a literal: `assert.equal(value, 1)`, `expect(value).not.toBe(1)`. */
function isAsserted(node: Node, parent: Node, around: readonly Node[]): boolean {
  if (parent.type !== 'CallExpression') return false;
  const areLiterals = (values: readonly Node[]) => values.every(({ type }) => literals.test(type));
  if (assertions.test(nameOf(parent.callee)))
    return areLiterals(parent.arguments.slice(0, 2).filter((each: Node) => each !== node));
  if (nameOf(parent.callee) !== 'expect') return false;
  const [first, second, third] = around.slice(-3).toReversed();
  const [member, call] = first?.property?.name === 'not' ? [second, third] : [first, second];
  return (
    matchers.test(member?.property?.name ?? '') &&
    call?.type === 'CallExpression' &&
    areLiterals(call.arguments)
  );
}

/** Whether a value is a part of an object or list that is written as JSON, where a promise becomes `{}`. */
function isWrittenAsJson(around: readonly Node[]): boolean {
  const outer = around.findLast(
    ({ type }) => type !== 'ObjectExpression' && type !== 'ArrayExpression' && type !== 'Property',
  );
  return outer?.type === 'CallExpression' && nameOf(outer.callee) === 'JSON.stringify';
}

interface Variable {
  declarations: number;
  readonly results: ResultUse[];
}

/** Returns a test that analyzes the variables of each function, or of the whole file, once. */
export function variableUses(childrenOf: Syntax['childrenOf']): IsOnlyUsed {
  const known = new Map<Node, ReadonlyMap<string, Variable>>();
  return (name, around) => {
    const place = around.findLastIndex((node) => isFunction(node));
    // Other files may await an exported variable.
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

const plainTypes =
  /^TS(?:String|Number|Boolean|BigInt|Symbol|Void|Undefined|Null|Never)Keyword$|^TS(?:Literal|Array|Tuple|TemplateLiteral|Function)Type$/;
const plainValues =
  /^(?:Literal|TemplateLiteral|UnaryExpression|UpdateExpression|BinaryExpression|ObjectExpression|ArrayExpression|ArrowFunctionExpression|FunctionExpression|ClassExpression|ThisExpression)$/;
/** Methods of strings, arrays, numbers and dates that hardly any other object has. */
const plainMethods =
  /^(?:join|split|trim|toString|slice|replace|replaceAll|toLowerCase|toUpperCase|padStart|padEnd|charAt|startsWith|endsWith|toFixed|toISOString|getTime)$/;
/** Types that may be promises: by their name, or because they are type parameters. */
const promiseTypes = /Promise|Thenable|Deferred|Future|Task|Async|Awaitable|Observable|ReturnType|^[A-Z]\d?$/;

/** Whether a function certainly returns no promise: its callers do not await it, and must if it becomes asynchronous. */
export function returnsPlainly(callable: Node, childrenOf: Syntax['childrenOf']): boolean {
  const declared = callable.returnType?.typeAnnotation;
  if (declared !== undefined && isPlainType(declared)) return true;
  if (callable.body === null) return false;
  const values: Node[] =
    callable.body.type === 'BlockStatement' ? returnedIn(callable.body, childrenOf) : [callable.body];
  return values.every((value) => isPlain(value, callable, childrenOf));
}

function isPlainType(type: Node): boolean {
  if (type.type === 'TSUnionType') return type.types.every(isPlainType);
  if (type.type === 'TSTypeReference')
    return !promiseTypes.test(type.typeName.name ?? type.typeName.right.name);
  return plainTypes.test(type.type);
}

/** The values of all `return` statements of a function, without those of inner functions. */
function returnedIn(node: Node, childrenOf: Syntax['childrenOf']): Node[] {
  if (node.type === 'ReturnStatement') return node.argument === null ? [] : [node.argument];
  return childrenOf(node).flatMap((child) => (isFunction(child) ? [] : returnedIn(child, childrenOf)));
}

function isPlain(
  value: Node,
  callable: Node,
  childrenOf: Syntax['childrenOf'],
  /** Names that are already being checked, so that a variable in its own value does not recurse. */
  known: readonly string[] = [],
): boolean {
  const inner = (node: Node) => isPlain(node, callable, childrenOf, known);
  if (plainValues.test(value.type)) return true;
  switch (value.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return inner(value.expression);
    case 'ConditionalExpression':
      return inner(value.consequent) && inner(value.alternate);
    case 'LogicalExpression':
      return inner(value.left) && inner(value.right);
    case 'NewExpression':
      return value.callee.type === 'Identifier' && !promiseTypes.test(value.callee.name);
    case 'CallExpression':
      return (
        plainFunctions.test(nameOf(value.callee)) || plainMethods.test(value.callee.property?.name ?? '')
      );
    case 'Identifier':
      if (value.name === 'undefined' || known.includes(value.name)) return true;
      return isPlainVariable(value.name, callable, childrenOf, [...known, value.name]);
    default:
      return false;
  }
}

/** Whether a name is a parameter or variable of the function that is only assigned plain values. */
function isPlainVariable(
  name: string,
  callable: Node,
  childrenOf: Syntax['childrenOf'],
  known: readonly string[],
): boolean {
  const given: Node[] = [];
  let isDeclared = callable.params.some((parameter: Node) => namesOfPattern(parameter).includes(name));
  function search(node: Node): void {
    if (node.type === 'VariableDeclarator' && node.id.name === name) {
      isDeclared = true;
      if (node.init !== null) given.push(node.init);
    }
    if (node.type === 'AssignmentExpression' && node.left.name === name) given.push(node.right);
    for (const child of childrenOf(node)) search(child);
  }
  search(callable.body);
  const isOther = ({ type }: Node) => type !== 'Identifier';
  return isDeclared && given.every((each) => isOther(each) && isPlain(each, callable, childrenOf, known));
}
