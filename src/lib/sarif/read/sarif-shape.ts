import { z } from 'zod';
import { SarifError } from './sarif-error.ts';

/**
 * The part of SARIF 2.1.0 that is read. Everything else is ignored, absent properties may be null (many tools write that),
 * and numbers may be out of range: the reader corrects them. Invalid values that only describe a finding are skipped;
 * invalid values that identify it make the result unreadable.
 */
const text = z.string().nullish();
const number = z.number().nullish();
const list = <T extends z.ZodType>(item: T) => z.array(item).nullish();
const bag = z.record(z.string(), z.unknown()).nullish();

/** A list whose invalid entries are blanked; the others keep their index. */
function lenientList<T extends z.ZodType<object>>(item: T) {
  return z
    .array(item.catch({} as z.output<T>))
    .nullish()
    .catch(null);
}

/** One of the words of the standard; unknown words that tools invent are ignored. */
function knownWord<Word extends string>(...words: Word[]) {
  return z
    .string()
    .transform((text) => words.find((word) => word === text.toLowerCase() || word === text) ?? null)
    .nullish();
}

const level = knownWord('none', 'note', 'warning', 'error');
const message = z.object({ text, markdown: text, id: text, arguments: list(z.string()) });
const format = z.object({ text, markdown: text }).nullish();
const formats = z.record(z.string(), z.object({ text, markdown: text })).nullish();

const artifactLocation = z.object({ uri: text, uriBaseId: text, index: number });
const snippet = z.object({ text }).nullish();
const region = z
  .object({
    startLine: number,
    startColumn: number,
    endLine: number,
    endColumn: number,
    charOffset: number,
    charLength: number,
    snippet,
  })
  .nullish();
const location = z.object({
  id: number,
  physicalLocation: z
    .object({ artifactLocation: artifactLocation.nullish(), region, contextRegion: region })
    .nullish(),
  logicalLocations: list(z.object({ name: text, fullyQualifiedName: text })),
  message: message.nullish(),
});
const step = z.object({ index: number, location: location.nullish() });

const componentReference = z.object({ name: text, index: number, guid: text }).nullish();
const reference = z.object({ id: text, index: number, guid: text, toolComponent: componentReference });

const descriptor = z.object({
  id: text,
  guid: text,
  name: text,
  shortDescription: format,
  fullDescription: format,
  help: format,
  helpUri: text,
  messageStrings: formats,
  defaultConfiguration: z.object({ level }).nullish(),
  relationships: lenientList(z.object({ target: reference.optional() })),
  properties: bag,
});
const component = z.object({
  name: text,
  guid: text,
  fullName: text,
  organization: text,
  version: text,
  semanticVersion: text,
  informationUri: text,
  rules: lenientList(descriptor),
  taxa: lenientList(z.object({ id: text, guid: text })),
  globalMessageStrings: formats.catch(null),
});

/** Some tools write numbers as fingerprints. */
const fingerprints = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish())
  .nullish();

const result = z.object({
  ruleId: text,
  ruleIndex: number,
  rule: reference.nullish(),
  kind: knownWord('notApplicable', 'pass', 'fail', 'review', 'open', 'informational'),
  level,
  message,
  locations: list(location),
  relatedLocations: lenientList(location),
  analysisTarget: artifactLocation.nullish(),
  baselineState: knownWord('new', 'unchanged', 'updated', 'absent'),
  fingerprints,
  partialFingerprints: fingerprints,
  suppressions: list(
    z.object({
      kind: text,
      status: text,
      justification: text,
      properties: bag,
    }),
  ),
  codeFlows: lenientList(
    z.object({
      message: message.nullish(),
      threadFlows: list(z.object({ message: message.nullish(), locations: list(step) })),
    }),
  ),
  stacks: lenientList(z.object({ message: message.nullish(), frames: list(step) })),
  fixes: lenientList(
    z.object({
      artifactChanges: list(
        z.object({
          artifactLocation: artifactLocation.nullish(),
          replacements: list(
            z.object({ deletedRegion: region, insertedContent: z.object({ text }).nullish() }),
          ),
        }),
      ),
    }),
  ),
  taxa: lenientList(reference),
  properties: bag.catch(null),
});

const run = z.object({
  tool: z.object({ driver: component, extensions: lenientList(component) }),
  automationDetails: z.object({ id: text }).nullish().catch(null),
  columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']).nullish().catch(null),
  taxonomies: lenientList(component),
  artifacts: lenientList(
    z.object({ location: artifactLocation.nullish(), contents: z.object({ text }).nullish() }),
  ),
  originalUriBaseIds: z.record(z.string(), artifactLocation).nullish(),
  versionControlProvenance: lenientList(z.object({ mappedTo: artifactLocation.nullish() })),
  invocations: lenientList(
    z.object({
      workingDirectory: artifactLocation.nullish(),
      ruleConfigurationOverrides: lenientList(
        z.object({
          descriptor: reference.optional(),
          configuration: z.object({ level }).optional(),
        }),
      ),
    }),
  ),
  threadFlowLocations: lenientList(step),
  properties: bag.catch(null),
  externalPropertyFileReferences: z.object({ results: list(z.unknown()) }).nullish(),
  results: list(z.unknown()),
});

const log = z.object({
  runs: z.array(z.unknown()).nullable(),
  inlineExternalProperties: list(z.object({ results: list(z.unknown()) })),
});

export type ArtifactLocation = z.infer<typeof artifactLocation>;
export type CodeFlow = NonNullable<SarifResult['codeFlows']>[number];
export type Component = z.infer<typeof component>;
export type ComponentReference = z.infer<typeof componentReference>;
export type Descriptor = z.infer<typeof descriptor>;
export type Location = z.infer<typeof location>;
export type Message = z.infer<typeof message>;
export type Reference = z.infer<typeof reference>;
export type SarifResult = z.infer<typeof result>;
export type SarifRun = z.infer<typeof run>;
export type Region = z.infer<typeof region>;
export type Step = z.infer<typeof step>;

/** Parses a log, except its runs; throws a `SarifError` for anything but SARIF 2.1.0. */
export function parseLog(value: unknown) {
  const version = parse(z.object({ version: z.unknown().optional() }), value, '').version;
  if (version === undefined) throw new SarifError('NOT_SARIF', 'version', 'is missing, expected "2.1.0"');
  if (version !== '2.1.0') {
    const shown = typeof version === 'string' ? JSON.stringify(version.slice(0, 40)) : typeof version;
    throw new SarifError('UNSUPPORTED_VERSION', 'version', `is ${shown}, expected "2.1.0"`);
  }
  return parse(log, value, '');
}

/** Parses a run, except its results, so that faults are found before reading those. */
export function parseRun(value: unknown, path: string): SarifRun {
  return parse(run, value, path);
}

/** Parses one result of a run, or returns what makes it unreadable. */
export function parseResult(value: unknown, path: string): SarifResult | SarifError {
  const parsed = result.safeParse(value);
  return parsed.success ? parsed.data : toSarifError(parsed.error, path);
}

function parse<T extends z.ZodType>(shape: T, value: unknown, path: string): z.output<T> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw toSarifError(parsed.error, path);
}

function toSarifError({ issues: [issue] }: z.ZodError, path: string): SarifError {
  return new SarifError('NOT_SARIF', pathOf(path, issue?.path ?? []), issue?.message ?? 'is not SARIF 2.1.0');
}

function pathOf(start: string, steps: readonly PropertyKey[]): string {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return start === '' ? path.replace(/^\./, '') : start + path;
}
