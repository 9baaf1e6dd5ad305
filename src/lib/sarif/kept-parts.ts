import { z } from 'zod';
import { must } from '../wire/own-checks.ts';
import { storableJson } from './storable-json.ts';

/**
 * The parts of a result that an export repeats as they came. Their shapes are those of the standard, whole: what a tool adds
 * on its own is left out, and so is an entry that is not valid, so that an export is valid whatever came.
 */
const text = z.string();
const count = z.int().min(0);
const index = z.int().min(-1);
const line = z.int().min(1);
const guid = text
  .regex(/^[\da-f]{8}-[\da-f]{4}-[1-5][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i)
  .optional()
  .catch(undefined);

/** Without `tags` that are not what the standard says. */
const bag = z.record(text, z.unknown()).transform(({ tags, ...rest }) => {
  const isTagList = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return isTagList ? { ...rest, tags: [...new Set(tags)] } : rest;
});
const properties = bag.optional();

/** Only what no reader takes for something else. */
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
/** A list whose entries that are not valid are left out. */
const entries = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.unknown())
    .transform((list) => list.flatMap((one) => entry.safeParse(one).data ?? []) as z.output<Entry>[])
    .optional()
    .catch(undefined);

/** What a step is an example of, by id: numbers mean descriptions of the log that an export does not have. */
const taxon = z
  .object({
    id: text.optional(),
    guid,
    toolComponent: z.object({ name: text.optional(), guid, properties }).optional(),
    properties,
  })
  .check(must(({ id, guid }) => id !== undefined || guid !== undefined, 'has neither an id nor a guid'));
const step = z.object({
  // One of the run's shared steps would be needed as well.
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

/** Reads the parts of a result as it was sent; each is whole or, if it is too large or too deeply nested, not there. */
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

/** Whether a message is only its text, which is kept anyway. */
function isPlain({ text, ...rest }: z.output<typeof message>): boolean {
  return Object.keys(rest).length === 0 && !/\]\(\d/.test(text ?? '');
}

/** Many tools write null for what is absent; in a property bag it is what they mean. What is nested too deeply is found out later. */
function withoutNull(value: unknown, name: string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || name === 'properties') return value;
  if (Array.isArray(value)) return value.map((entry) => withoutNull(entry, '', depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      inner === null ? [] : [[key, withoutNull(inner, key, depth + 1)]],
    ),
  );
}

/** Whether a text is a URI reference that an export may repeat. */
export function isAddress(reference: string): boolean {
  return reference.length <= 2_048 && uri.safeParse(reference).success;
}

/** The standard wants most lists without repeats. */
function distinct<Entry>(list: readonly Entry[]): Entry[] {
  return [...new Map(list.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function isReference(reference: string): boolean {
  return URL.canParse(reference, 'file:///');
}

/** The parts with the address of every artifact that they name by its index alone, as far as the run knows it. */
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
