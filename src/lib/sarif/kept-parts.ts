import { z } from 'zod';
import { must } from '../wire/own-checks.ts';
import { storableJson } from './storable-json.ts';

/**
 * The parts of a result that an export repeats unchanged. The shapes cover the whole standard; a tool's own additions and
 * invalid entries are left out, so that an export is always valid.
 */
const text = z.string();
const count = z.int().min(0);
const index = z.int().min(-1);
const line = z.int().min(1);
const guid = text
  .regex(/^[\da-f]{8}-[\da-f]{4}-[1-5][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i)
  .optional()
  .catch(undefined);

/** A property bag; `tags` that do not conform to the standard are removed. */
const bag = z.record(text, z.unknown()).transform(({ tags, ...rest }) => {
  const isTagList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return isTagList ? { ...rest, tags: [...new Set(tags)] } : rest;
});
const properties = bag.optional();

/** Only URIs that all readers interpret in the same way. */
const uri = text.regex(/^(?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-fA-F]{2})*$/).check(must(isReference, 'is no URI'));

const shownText = z.object({ text, markdown: text.optional(), properties });
const state = z.record(text, shownText).optional();
const message = z
  .object({
    text: text.optional(),
    markdown: text.optional(),
    id: text.optional(),
    arguments: z.array(text).optional(),
    properties,
  })
  .check(must(({ text, id }) => text !== undefined || id !== undefined, 'has neither a text nor an id'));
const content = z.object({
  text: text.optional(),
  binary: text.optional(),
  rendered: shownText.optional(),
  properties,
});
const artifactLocation = z.object({
  uri: uri.optional(),
  uriBaseId: text.optional(),
  index: index.optional(),
  description: message.optional(),
  properties,
});
const region = z.object({
  startLine: line.optional(),
  startColumn: line.optional(),
  endLine: line.optional(),
  endColumn: line.optional(),
  charOffset: index.optional(),
  charLength: count.optional(),
  byteOffset: index.optional(),
  byteLength: count.optional(),
  snippet: content.optional(),
  message: message.optional(),
  sourceLanguage: text.optional(),
  properties,
});
const logicalLocation = z.object({
  name: text.optional(),
  fullyQualifiedName: text.optional(),
  decoratedName: text.optional(),
  kind: text.optional(),
  properties,
});
const location = z.object({
  id: index.optional(),
  physicalLocation: z
    .object({
      artifactLocation,
      region: region.optional(),
      contextRegion: region.optional(),
      properties,
    })
    .optional(),
  logicalLocations: z.array(logicalLocation).transform(distinct).optional(),
  message: message.optional(),
  annotations: z.array(region).transform(distinct).optional(),
  relationships: z
    .array(
      z.object({
        target: count,
        kinds: z.array(text).transform(distinct).optional(),
        description: message.optional(),
        properties,
      }),
    )
    .transform(distinct)
    .optional(),
  properties,
});
const stack = z.object({
  message: message.optional(),
  frames: z.array(
    z.object({
      location: location.optional(),
      module: text.optional(),
      threadId: z.int().optional(),
      parameters: z.array(text).optional(),
      properties,
    }),
  ),
  properties,
});
/** A list without its invalid entries. */
const entries = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.unknown())
    .transform((list) => list.flatMap((one) => entry.safeParse(one).data ?? []) as z.output<Entry>[])
    .optional()
    .catch(undefined);

/** A reference to a taxon by id. An index is dropped, since it refers to parts of the log that an export does not contain. */
const taxon = z
  .object({
    id: text.optional(),
    guid,
    toolComponent: z.object({ name: text.optional(), guid, properties }).optional(),
    properties,
  })
  .check(must(({ id, guid }) => id !== undefined || guid !== undefined, 'has neither an id nor a guid'));
const step = z.object({
  // Removed, since the run's shared steps are not kept.
  index: z.undefined().optional(),
  location: location.optional(),
  stack: stack.optional(),
  kinds: z.array(text).transform(distinct).optional(),
  taxa: entries(taxon).transform((list) => list && distinct(list)),
  module: text.optional(),
  state,
  nestingLevel: count.optional(),
  executionOrder: index.optional(),
  executionTimeUtc: z.iso.datetime().optional().catch(undefined),
  importance: z.enum(['important', 'essential', 'unimportant']).optional(),
  properties,
});
const codeFlow = z.object({
  message: message.optional(),
  threadFlows: z
    .array(
      z.object({
        id: text.optional(),
        message: message.optional(),
        initialState: state,
        immutableState: state,
        locations: z.array(step).min(1),
        properties,
      }),
    )
    .min(1),
  properties,
});
const fix = z.object({
  description: message.optional(),
  artifactChanges: z
    .array(
      z.object({
        artifactLocation,
        replacements: z
          .array(z.object({ deletedRegion: region, insertedContent: content.optional(), properties }))
          .min(1),
        properties,
      }),
    )
    .min(1)
    .transform(distinct),
  properties,
});

const keptParts = z.object({
  message: message.optional().catch(undefined),
  codeFlows: entries(codeFlow),
  stacks: entries(stack).transform((list) => list && distinct(list)),
  relatedLocations: entries(location).transform((list) => list && distinct(list)),
  fixes: entries(fix).transform((list) => list && distinct(list)),
  properties: bag.optional().catch(undefined),
});

export type KeptParts = z.output<typeof keptParts>;
export type KeptArtifactLocation = z.output<typeof artifactLocation>;

const MAX_DEPTH = 32;
const MAX_LENGTH = 256 * 1024;

/**
 * Parses the parts of a result. Each is kept whole, or left out if it is too large or too deeply nested. Null if nothing is
 * kept.
 */
export function readKeptParts(result: unknown, notesKey: string): KeptParts | null {
  if (typeof result !== 'object' || result === null) return null;
  const sent = result as Record<string, unknown>;
  let room = MAX_LENGTH;
  const small: Record<string, unknown> = {};
  for (const name of Object.keys(keptParts.shape)) {
    const part =
      sent[name] == null ? undefined : storableJson(withoutNull(sent[name], name, 0), MAX_DEPTH, room);
    if (part === undefined) continue;
    small[name] = part;
    room -= JSON.stringify(part).length;
  }
  const { properties: given, message: said, ...others } = keptParts.parse(small);
  const parts = { ...(said && !isPlain(said) && { message: said }), ...others };
  const { [notesKey]: _notes, ...own } = given ?? {};
  const filled = Object.entries({ ...parts, ...(Object.keys(own).length > 0 && { properties: own }) }).filter(
    ([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0),
  );
  return filled.length === 0 ? null : (Object.fromEntries(filled) as KeptParts);
}

/** Whether a message consists only of its text, which is kept elsewhere. */
function isPlain({ text, ...rest }: z.output<typeof message>): boolean {
  return Object.keys(rest).length === 0 && !/\]\(\d/.test(text ?? '');
}

/**
 * Removes null values, which many tools write for absent properties, but not in property bags, where they have a meaning.
 * Nesting beyond the limit is rejected later.
 */
function withoutNull(value: unknown, name: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || name === 'properties') return value;
  if (Array.isArray(value)) return value.map((entry) => withoutNull(entry, '', depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null ? [] : [[key, withoutNull(inner, key, depth + 1)]],
    ),
  );
}

/** Whether a text is a valid URI reference for an export. */
export function isAddress(reference: string): boolean {
  return reference.length <= 2_048 && uri.safeParse(reference).success;
}

/** Removes duplicates, which the standard forbids in most lists. */
function distinct<Entry>(list: readonly Entry[]): Entry[] {
  return [...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function isReference(reference: string): boolean {
  return URL.canParse(reference, 'file:///');
}

/** Adds the URI to every artifact that the parts name only by index, if the run has it. */
export function withAddresses<Part>(
  part: Part,
  locationAt: (index: number) => Pick<KeptArtifactLocation, 'uri' | 'uriBaseId'> | undefined,
): Part {
  if (Array.isArray(part)) return part.map((entry) => withAddresses(entry, locationAt)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, inner]) => {
      if (key !== 'artifactLocation') return [key, withAddresses(inner, locationAt)];
      const location = inner as KeptArtifactLocation;
      const known = location.uri === undefined ? locationAt(location.index ?? -1) : undefined;
      return [
        key,
        known === undefined || !uri.safeParse(known.uri).success ? location : { ...location, ...known },
      ];
    }),
  ) as Part;
}
