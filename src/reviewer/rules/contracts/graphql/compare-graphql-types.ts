import type { DefinitionNode, FieldDefinitionNode, InputValueDefinitionNode, TypeNode } from 'graphql';
import {
  breaking,
  compatible,
  type Difference,
  type FileDefinitions,
  type Place,
  pairDefinitions,
} from '../difference.ts';

type Kind = 'object' | 'interface' | 'input' | 'enum' | 'union' | 'scalar';

/** A type of a schema, including its extensions in the same file. */
export interface SchemaType {
  readonly kind: Kind;
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly fields: Map<string, FieldDefinitionNode | InputValueDefinitionNode>;
  /** The values of an enum or the members of a union, with their lines. */
  readonly values: Map<string, number>;
  readonly interfaces: Map<string, number>;
}

const kinds: Readonly<Record<string, Kind>> = {
  ObjectType: 'object',
  InterfaceType: 'interface',
  InputObjectType: 'input',
  EnumType: 'enum',
  UnionType: 'union',
  ScalarType: 'scalar',
};

const lineOf = (node: { readonly loc?: { readonly startToken: { readonly line: number } } | undefined }) =>
  node.loc?.startToken.line ?? 1;

/** The types that a document defines or extends; operations of clients define none. */
export function typesIn(path: string, definitions: readonly DefinitionNode[]): Map<string, SchemaType> {
  const types = new Map<string, SchemaType>();
  for (const definition of definitions) {
    const kind = kinds[definition.kind.replace(/(?:Definition|Extension)$/, '')];
    if (kind === undefined || !('name' in definition) || definition.name === undefined) continue;
    const name = definition.name.value;
    const empty = {
      kind,
      name,
      path,
      line: lineOf(definition.name),
      fields: new Map(),
      values: new Map(),
      interfaces: new Map(),
    };
    const type: SchemaType = types.get(name) ?? empty;
    types.set(name, type);
    if ('fields' in definition)
      for (const field of definition.fields ?? [])
        type.fields.set(field.name.value, field as FieldDefinitionNode);
    if ('values' in definition)
      for (const value of definition.values ?? []) type.values.set(value.name.value, lineOf(value.name));
    if ('types' in definition)
      for (const member of definition.types ?? []) type.values.set(member.name.value, lineOf(member));
    if ('interfaces' in definition)
      for (const each of definition.interfaces ?? []) type.interfaces.set(each.name.value, lineOf(each));
  }
  return types;
}

/** Compares two versions of a schema, and decides which differences break clients. */
export function compareSchemas(files: readonly FileDefinitions<SchemaType>[]): Difference[] {
  return pairDefinitions(files).flatMap(([before, after]) => {
    if (before === undefined) return [compatible(`\`${after!.name}\` is new`, 'new', after!)];
    if (after === undefined) return [breaking(`\`${before.name}\` was removed`, 'old', before)];
    if (before.kind !== after.kind)
      return [breaking(`\`${after.name}\` is now of a different kind: ${after.kind}`, 'new', after)];
    return [
      ...compareFields(before, after),
      ...compareNames(before, after, 'values', after.kind === 'enum' || after.kind === 'union'),
      ...compareNames(before, after, 'interfaces', false),
    ];
  });
}

function compareNames(
  before: SchemaType,
  after: SchemaType,
  list: 'values' | 'interfaces',
  isOpen: boolean,
): Difference[] {
  const said = (name: string) =>
    list === 'values' ? `\`${after.name}.${name}\`` : `\`${after.name}\` as \`${name}\``;
  const gone = [...before[list]].filter(([name]) => !after[list].has(name));
  const news = [...after[list]].filter(([name]) => !before[list].has(name));
  return [
    ...gone.map(([name, line]) => breaking(`${said(name)} was removed`, 'old', { path: before.path, line })),
    ...news.map(([name, line]) => ({
      ...compatible(`${said(name)} is new`, 'new', { path: after.path, line }),
      ...(isOpen && ({ isNew: true } as const)),
    })),
  ];
}

function compareFields(before: SchemaType, after: SchemaType): Difference[] {
  const isInput = after.kind === 'input';
  const at = (
    type: SchemaType,
    node: { readonly loc?: { readonly startToken: { readonly line: number } } | undefined },
  ): Place => ({
    path: type.path,
    line: lineOf(node),
  });
  const found: Difference[] = [];
  for (const [name, old] of before.fields) {
    const own = after.fields.get(name);
    const said = `\`${after.name}.${name}\``;
    if (own === undefined) {
      found.push(breaking(`${said} was removed`, 'old', at(before, old.name)));
      continue;
    }
    found.push(...compareTypes(said, old.type, own.type, isInput, at(after, own.name)));
    if ('arguments' in old || 'arguments' in own)
      found.push(
        ...compareArguments(said, old as FieldDefinitionNode, own as FieldDefinitionNode, (node, side) =>
          at(side === 'old' ? before : after, node),
        ),
      );
  }
  for (const [name, own] of after.fields) {
    if (before.fields.has(name)) continue;
    const isDemanded = isInput && isRequired(own as InputValueDefinitionNode);
    const said = `\`${after.name}.${name}\` is new${isDemanded ? ' and required' : ''}`;
    found.push((isDemanded ? breaking : compatible)(said, 'new', at(after, own.name)));
  }
  return found;
}

const isRequired = ({ type, defaultValue }: InputValueDefinitionNode) =>
  type.kind === 'NonNullType' && defaultValue === undefined;

function compareArguments(
  field: string,
  before: FieldDefinitionNode,
  after: FieldDefinitionNode,
  place: (node: InputValueDefinitionNode['name'], side: 'old' | 'new') => Place,
): Difference[] {
  const named = (list: readonly InputValueDefinitionNode[] | undefined) =>
    new Map((list ?? []).map((each) => [each.name.value, each]));
  const [old, own] = [named(before.arguments), named(after.arguments)];
  const found: Difference[] = [];
  for (const [name, argument] of old) {
    const now = own.get(name);
    const said = `the argument \`${name}\` of ${field}`;
    if (now === undefined) found.push(breaking(`${said} was removed`, 'old', place(argument.name, 'old')));
    else found.push(...compareTypes(said, argument.type, now.type, true, place(now.name, 'new')));
  }
  for (const [name, argument] of own) {
    if (old.has(name)) continue;
    const said = `the argument \`${name}\` of ${field} is new`;
    if (isRequired(argument))
      found.push(breaking(`${said} and required`, 'new', place(argument.name, 'new')));
    else found.push(compatible(said, 'new', place(argument.name, 'new')));
  }
  return found;
}

function compareTypes(
  said: string,
  before: TypeNode,
  after: TypeNode,
  isInput: boolean,
  place: Place,
): Difference[] {
  const [from, to] = [written(before), written(after)];
  if (from === to) return [];
  const fits = isInput ? isWithin(before, after) : isWithin(after, before);
  return [(fits ? compatible : breaking)(`${said} is now \`${to}\`, not \`${from}\``, 'new', place)];
}

/** Whether every value of the first type is also a value of the second. */
function isWithin(narrow: TypeNode, wide: TypeNode): boolean {
  if (wide.kind === 'NonNullType') return narrow.kind === 'NonNullType' && isWithin(narrow.type, wide.type);
  if (narrow.kind === 'NonNullType') return isWithin(narrow.type, wide);
  if (narrow.kind === 'ListType' && wide.kind === 'ListType') return isWithin(narrow.type, wide.type);
  return narrow.kind === 'NamedType' && wide.kind === 'NamedType' && narrow.name.value === wide.name.value;
}

function written(type: TypeNode): string {
  if (type.kind === 'NonNullType') return `${written(type.type)}!`;
  return type.kind === 'ListType' ? `[${written(type.type)}]` : type.name.value;
}
