import type { Node } from 'web-tree-sitter';
import type { CodeFacts, Definition, Import, Parameter } from '../code-facts.ts';
import { parseTree } from '../symbols.ts';
import { readUses } from './uses.ts';

const childrenOf = (node: Node): Node[] => node.namedChildren.filter((child) => child !== null);
const lineOf = (node: Node) => node.startPosition.row + 1;

/** Reads the facts of a Go file; undefined if it does not parse. Uses include names that other files of its package define. */
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
    // Assumes that a package is named like its folder, as nearly all are; a version at the end is not part of the name.
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
  const add = (
    name: string,
    kind: Definition['kind'],
    node: Node,
    parameters: Parameter[] | null = null,
    more: Partial<Definition> = {},
  ) =>
    found.push({
      name,
      kind,
      startLine: lineOf(node),
      endLine: node.endPosition.row + 1,
      isAsync: false,
      parameters,
      ...more,
    });
  for (const node of childrenOf(file)) {
    const name = node.childForFieldName('name')?.text;
    if (node.type === 'function_declaration') add(name!, 'function', node, parametersOf(node));
    else if (node.type === 'method_declaration') {
      const receiver = node.childForFieldName('receiver')!.descendantsOfType('type_identifier')[0]?.text;
      if (receiver !== undefined)
        add(`${receiver}.${name}`, 'method', node, parametersOf(node), { receiver: 'object' });
    } else if (node.type === 'type_declaration')
      for (const spec of childrenOf(node)) {
        const named = spec.childForFieldName('name')?.text;
        if (named !== undefined) add(named, 'type', spec, null, membersOf(spec));
      }
    else if (/^(?:var|const)_declaration$/.test(node.type))
      for (const spec of node.descendantsOfType(['var_spec', 'const_spec'])) {
        const names = spec!.childrenForFieldName('name');
        const value = spec!.childForFieldName('value')?.namedChildren[0];
        // A variable with a declared type may hold other functions too, but they have the same parameters.
        const isFunction = names.length === 1 && value?.type === 'func_literal';
        for (const each of names)
          add(each!.text, isFunction ? 'function' : 'value', spec!, isFunction ? parametersOf(value) : null);
      }
  }
  return found;
}

/** The fields of a struct. Any other type, and a struct that embeds others, may have members from elsewhere. */
function membersOf(spec: Node): Pick<Definition, 'fields' | 'inherits'> {
  const type = spec.childForFieldName('type');
  if (spec.type !== 'type_spec' || type?.type !== 'struct_type') return { inherits: true };
  const declared = type.descendantsOfType('field_declaration').map((each) => each!);
  const fields = declared.flatMap((each) => each.childrenForFieldName('name').map((name) => name!.text));
  const isOpen = declared.some((each) => each.childrenForFieldName('name').length === 0);
  return { fields, ...(isOpen ? { inherits: true } : {}) };
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
