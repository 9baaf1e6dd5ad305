import type { Node } from 'web-tree-sitter';
import type { CallArguments, CodeFacts, Definition, Import, Parameter, Use } from '../code-facts.ts';
import { parseTree } from '../symbols.ts';

/** What the language itself declares. */
const predeclared = new Set(
  'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make max min new panic print println real recover _ init main'.split(
    ' ',
  ),
);

const childrenOf = (node: Node): Node[] => node.namedChildren.filter((child) => child !== null);
const lineOf = (node: Node) => node.startPosition.row + 1;

/** What a file of Go defines, gets and uses; undefined where it does not parse. Names of its package may be in other files. */
export async function readGo(path: string, text: string): Promise<CodeFacts | undefined> {
  const tree = await parseTree(path, text);
  if (tree === undefined) return undefined;
  try {
    const file = tree.rootNode;
    if (file.hasError) return undefined;
    const definitions = readDefinitions(file);
    return {
      definitions,
      imports: readImports(file),
      exports: definitions
        .filter(({ name }) => /^\p{Lu}/u.test(name) && !name.includes('.'))
        .map(({ name, startLine }) => ({ name, local: name, from: null, imported: null, line: startLine })),
      uses: readUses(file),
      hasOpenExports: false,
    };
  } finally {
    tree.delete();
  }
}

function readImports(file: Node): Import[] {
  return file.descendantsOfType('import_spec').flatMap((node) => {
    if (node === null) return [];
    const from = node.childForFieldName('path')!.text.slice(1, -1);
    const given = node.childForFieldName('name')?.text;
    // A package is called like its folder, as nearly all are; a version at the end is not its name.
    const usual = from
      .replace(/\/v\d+$/, '')
      .split('/')
      .at(-1)!
      .replace(/^go-|\.go$|-go$/g, '');
    const local = given === '_' || given === '.' ? null : (given ?? usual);
    return [
      {
        local,
        from,
        imported: given === '_' ? '' : '*',
        line: lineOf(node),
        isType: false,
        isGuarded: false,
      },
    ];
  });
}

function readDefinitions(file: Node): Definition[] {
  const found: Definition[] = [];
  const add = (name: string, kind: Definition['kind'], node: Node, parameters: Parameter[] | null = null) =>
    found.push({
      name,
      kind,
      startLine: lineOf(node),
      endLine: node.endPosition.row + 1,
      isAsync: false,
      parameters,
    });
  for (const node of childrenOf(file)) {
    const name = node.childForFieldName('name')?.text;
    if (node.type === 'function_declaration') add(name!, 'function', node, parametersOf(node));
    else if (node.type === 'method_declaration') {
      const receiver = node.childForFieldName('receiver')!.descendantsOfType('type_identifier')[0]?.text;
      if (receiver !== undefined) add(`${receiver}.${name}`, 'method', node, parametersOf(node));
    } else if (/^(?:type|var|const)_declaration$/.test(node.type))
      for (const spec of node.descendantsOfType(['type_spec', 'type_alias', 'var_spec', 'const_spec']))
        for (const each of spec!.childrenForFieldName('name'))
          add(each!.text, node.type === 'type_declaration' ? 'type' : 'value', spec!);
  }
  return found;
}

function parametersOf(declaration: Node): Parameter[] {
  return childrenOf(declaration.childForFieldName('parameters')!).flatMap((node) => {
    const isRest = node.type === 'variadic_parameter_declaration';
    const names = node.childrenForFieldName('name').map((each) => each!.text);
    return (names.length === 0 ? ['_'] : names).map(
      (name): Parameter => ({ name, isOptional: false, isRest, kind: 'positional', isNeeded: true }),
    );
  });
}

/** Every name that the body of a function declares: where one of them may be meant, nothing is said. */
function namesInside(declaration: Node): Set<string> {
  const names = new Set<string>();
  const declarations = declaration.descendantsOfType([
    'parameter_declaration',
    'variadic_parameter_declaration',
    'type_parameter_declaration',
    'short_var_declaration',
    'range_clause',
    'receive_statement',
    'var_spec',
    'const_spec',
    'type_spec',
    'type_switch_statement',
  ]);
  for (const node of declarations) {
    for (const name of node!.childrenForFieldName('name')) names.add(name!.text);
    for (const side of [node!.childForFieldName('left'), node!.childForFieldName('alias')])
      for (const name of side?.descendantsOfType('identifier') ?? []) names.add(name!.text);
  }
  return names;
}

function readUses(file: Node): Use[] {
  const uses: Use[] = [];
  let hidden: ReadonlySet<string> = new Set();

  function addUse(node: Node): void {
    let [last, parent] = [node, node.parent];
    const members: string[] = [];
    const isQualified =
      (parent?.type === 'selector_expression' && parent.childForFieldName('operand')?.id === node.id) ||
      (parent?.type === 'qualified_type' && parent.childForFieldName('package')?.id === node.id);
    if (isQualified) {
      members.push((parent!.childForFieldName('field') ?? parent!.childForFieldName('name'))!.text);
      [last, parent] = [parent!, parent!.parent];
    }
    if (parent?.type === 'type_instantiation_expression') [last, parent] = [parent, parent.parent];
    const isCall = parent?.type === 'call_expression' && parent.childForFieldName('function')?.id === last.id;
    uses.push({
      name: node.text,
      members,
      line: lineOf(node),
      call: isCall ? argumentsOf(parent!.childForFieldName('arguments')!) : null,
      isNew: false,
      result: 'handed_on',
    });
  }

  function walk(node: Node): void {
    if (/^(?:import_declaration|package_clause)$/.test(node.type)) return;
    if (/^(?:identifier|type_identifier|package_identifier)$/.test(node.type)) {
      const isDeclared =
        node.parent?.childrenForFieldName('name').some((name) => name?.id === node.id) ?? false;
      const isPart =
        node.parent?.type === 'qualified_type' && node.parent.childForFieldName('name')?.id === node.id;
      if (!isDeclared && !isPart && !predeclared.has(node.text) && !hidden.has(node.text)) addUse(node);
      return;
    }
    const outer = hidden;
    if (/^(?:function|method)_declaration$/.test(node.type)) hidden = namesInside(node);
    for (const child of childrenOf(node)) {
      // The key of a field in a literal is no name of the package.
      const isKey =
        node.type === 'keyed_element' &&
        child.id === node.namedChildren[0]?.id &&
        child.namedChildCount === 1;
      if (!isKey) walk(child);
    }
    hidden = outer;
  }

  walk(file);
  return uses;
}

function argumentsOf(list: Node): CallArguments {
  const given = childrenOf(list).filter(({ type }) => type !== 'comment');
  // f(g()) passes as many as g returns.
  const isOpen =
    given.some(({ type }) => type === 'variadic_argument') ||
    (given.length === 1 && given[0]!.type === 'call_expression');
  return { count: given.length, isOpen, keywords: [] };
}
