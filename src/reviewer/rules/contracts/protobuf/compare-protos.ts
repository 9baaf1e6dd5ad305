import {
  breaking,
  compatible,
  type Difference,
  type FileDefinitions,
  pairDefinitions,
} from '../difference.ts';
import type { ProtoDefinition, ProtoField, ProtoPackage } from './read-proto.ts';

/** Compatible changes of a type: the second one can read all values of the first one from the wire. */
const widenings = new Set([
  'int32 int64',
  'uint32 uint64',
  'sint32 sint64',
  'uint32 int64',
  'bool int32',
  'bool int64',
  'string bytes',
]);
/** Packages without a promise of compatibility: unstable versions and internal ones. */
const unstable = /(?:^|\.)v\d+(?:alpha|beta|test|dev)[a-z]*\d*(?:\.|$)|(?:^|\.)internal\./;

/** Compares two versions of messages, enums and services, and decides which differences break clients. */
export function compareProtos(files: readonly FileDefinitions<ProtoDefinition>[]): Difference[] {
  const { renames, files: called } = renamedPackages(files);
  const pairs = pairDefinitions(called);
  const gone = new Set(pairs.flatMap(([before, after]) => (after === undefined ? [before!.name] : [])));
  const differences = pairs.flatMap(([before, after]) => {
    const name = (before ?? after)!.name;
    // A definition inside a removed message is not reported separately.
    if (gone.has(name) && gone.has(name.slice(0, name.lastIndexOf('.')))) return [];
    const found =
      before === undefined ? added(after!) : after === undefined ? removed(before) : compare(before, after);
    return unstable.test(name) ? found.map((each) => ({ ...each, isBreaking: false })) : found;
  });
  return [...renames, ...differences];
}

/**
 * The renamed packages, each reported once however many messages and files it has. Also returns the files with their old
 * definitions moved to the new package, so that these can be compared.
 */
function renamedPackages(files: readonly FileDefinitions<ProtoDefinition>[]) {
  const renames = new Map<string, Difference>();
  const names = new Set(files.flatMap(({ after }) => [...after.keys()]));
  const called = files.map(({ before, after }) => {
    const [old, own] = [packageOf(before), packageOf(after)];
    const isRenamed = old !== undefined && own !== undefined && old.name !== own.name;
    if (!isRenamed || [...before.keys()].some((name) => names.has(name))) return { before, after };
    const [from, to] = [old.name, own.name].map((name) => (name === '' ? '' : `${name}.`)) as [
      string,
      string,
    ];
    const say = unstable.test(from) ? compatible : breaking;
    const said =
      from === ''
        ? `everything is now in the package \`${own.name}\``
        : `the package \`${old.name}\` is now called \`${own.name}\``;
    const key = `${from} ${to}`;
    if (!renames.has(key))
      renames.set(key, say(said, 'new', { path: [...after.values()][0]!.path, line: own.line }));
    const moved = [...before.values()].map((each) => ({ ...each, name: to + each.name.slice(from.length) }));
    return { before: new Map(moved.map((each) => [each.name, each])), after };
  });
  return { renames: [...renames.values()], files: called };
}

function packageOf(definitions: ReadonlyMap<string, ProtoDefinition>): ProtoPackage | undefined {
  return definitions.values().next().value?.package;
}

const added = (definition: ProtoDefinition) => [
  compatible(`\`${definition.name}\` is new`, 'new', definition),
];
const removed = (definition: ProtoDefinition) => [
  breaking(`\`${definition.name}\` was removed`, 'old', definition),
];

function compare(before: ProtoDefinition, after: ProtoDefinition): Difference[] {
  if (before.kind !== after.kind)
    return [breaking(`\`${after.name}\` is now of a different kind: ${after.kind}`, 'new', after)];
  const byName = new Map(after.fields.map((field) => [field.name, field]));
  const byNumber = new Map(
    after.fields.filter(({ number }) => number !== null).map((field) => [field.number, field]),
  );
  const oldNames = new Set(before.fields.map(({ name }) => name));
  const oldNumbers = new Set(before.fields.map(({ number }) => number));
  const differences = before.fields.flatMap((old): Difference[] => {
    const own = byName.get(old.name);
    if (own !== undefined) return compareFields(old, after, own);
    const successor = old.number === null ? undefined : byNumber.get(old.number);
    const name = `\`${before.name}.${old.name}\``;
    if (successor !== undefined && !oldNames.has(successor.name))
      return [breaking(`${name} is now called \`${successor.name}\``, 'new', placeOf(after, successor))];
    if (isReserved(after, old))
      return [compatible(`${name} was removed and reserved`, 'old', placeOf(before, old))];
    // The value still exists under another name (an alias).
    if (
      successor !== undefined &&
      before.kind === 'enum' &&
      before.fields.filter(({ number }) => number === old.number).length > 1
    )
      return [compatible(`${name} was removed`, 'old', placeOf(before, old))];
    const said =
      before.kind === 'service' ? 'was removed' : 'was removed, and its number and name are not reserved';
    return [breaking(`${name} ${said}`, 'old', placeOf(before, old))];
  });
  const news = after.fields
    .filter(({ name, number }) => !oldNames.has(name) && (number === null || !oldNumbers.has(number)))
    .map((field) => addedField(before, after, field));
  return [...differences, ...news];
}

const placeOf = ({ path }: ProtoDefinition, { line }: ProtoField) => ({ path, line });

function addedField(before: ProtoDefinition, after: ProtoDefinition, field: ProtoField): Difference {
  const name = `\`${after.name}.${field.name}\``;
  const place = placeOf(after, field);
  if (field.label === 'required') return breaking(`${name} is new and required`, 'new', place);
  // The number was reserved because clients may still send the removed field.
  if (hasReservedNumber(before, field))
    return breaking(`${name} has the number ${field.number}, which was reserved`, 'new', place);
  if (before.reserved.names.has(field.name))
    return breaking(`${name} has a name that was reserved`, 'new', place);
  return compatible(`${name} is new`, 'new', place);
}

function hasReservedNumber({ reserved }: ProtoDefinition, { number }: ProtoField): boolean {
  return number !== null && reserved.numbers.some(([from, to]) => number >= from && number <= to);
}

function isReserved(definition: ProtoDefinition, field: ProtoField): boolean {
  return definition.reserved.names.has(field.name) && hasReservedNumber(definition, field);
}

function compareFields(old: ProtoField, after: ProtoDefinition, own: ProtoField): Difference[] {
  const name = `\`${after.name}.${own.name}\``;
  const place = placeOf(after, own);
  const said: Difference[] = [];
  if (old.number !== own.number)
    said.push(breaking(`${name} has a different number: ${own.number}, not ${old.number}`, 'new', place));
  const [from, to] = [bareType(old.type), bareType(own.type)];
  if (from !== to && !widenings.has(`${from} ${to}`))
    said.push(breaking(`${name} is now \`${own.type}\`, not \`${old.type}\``, 'new', place));
  else if (from !== to) said.push(compatible(`${name} is now \`${own.type}\``, 'new', place));
  const isMany = (field: ProtoField) => field.label === 'repeated';
  if (isMany(old) !== isMany(own))
    said.push(breaking(`${name} is ${isMany(own) ? 'now' : 'no longer'} repeated`, 'new', place));
  else if ((old.label === 'required') !== (own.label === 'required'))
    said.push(
      breaking(`${name} is ${own.label === 'required' ? 'now' : 'no longer'} required`, 'new', place),
    );
  return said;
}

/** The last part of each name: a type may be named with its package or without. */
function bareType(type: string): string {
  return type.replaceAll(/[\w.]*\.(\w+)/g, '$1');
}
