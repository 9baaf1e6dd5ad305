import { z } from 'zod';
import { SarifError } from './sarif-error.ts';

/**
 * The part of SARIF 2.1.0 that is read. Everything else is left alone, absent properties may be written as null
 * (many tools do), and numbers may be out of range: the reader puts them right.
 */
const text = z.string().nullish();
const number = z.number().nullish();
const list = <T extends z.ZodType>(item: T) => z.array(item).nullish();
const bag = z.record(z.string(), z.unknown()).nullish();

const level = z.enum(['none', 'note', 'warning', 'error']).nullish();
const message = z.object({ text, markdown: text, id: text, arguments: list(z.string()) });
const format = z.object({ text, markdown: text }).nullish();
const formats = z.record(z.string(), z.object({ text, markdown: text })).nullish();

const artifactLocation = z.object({ uri: text, uriBaseId: text, index: number });
const snippet = z.object({ text }).nullish();
const region = z
  .object({ startLine: number, endLine: number, charOffset: number, charLength: number, snippet })
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
  messageStrings: formats,
  defaultConfiguration: z.object({ level }).nullish(),
  relationships: list(z.object({ target: reference })),
  properties: bag,
});
const component = z.object({
  name: text,
  guid: text,
  rules: list(descriptor),
  taxa: list(z.object({ id: text, guid: text })),
  globalMessageStrings: formats,
});

const result = z.object({
  ruleId: text,
  ruleIndex: number,
  rule: reference.nullish(),
  kind: z.enum(['notApplicable', 'pass', 'fail', 'review', 'open', 'informational']).nullish(),
  level,
  message,
  locations: list(location),
  relatedLocations: list(location),
  analysisTarget: artifactLocation.nullish(),
  baselineState: z.enum(['new', 'unchanged', 'updated', 'absent']).nullish(),
  fingerprints: z.record(z.string(), z.string()).nullish(),
  partialFingerprints: z.record(z.string(), z.string()).nullish(),
  suppressions: list(
    z.object({
      kind: text,
      status: z.enum(['accepted', 'underReview', 'rejected']).nullish(),
      justification: text,
      properties: bag,
    }),
  ),
  codeFlows: list(
    z.object({
      message: message.nullish(),
      threadFlows: list(z.object({ message: message.nullish(), locations: list(step) })),
    }),
  ),
  stacks: list(z.object({ message: message.nullish(), frames: list(step) })),
  taxa: list(reference),
  properties: bag,
});

const run = z.object({
  tool: z.object({ driver: component, extensions: list(component) }),
  taxonomies: list(component),
  artifacts: list(z.object({ location: artifactLocation.nullish(), contents: z.object({ text }).nullish() })),
  originalUriBaseIds: z.record(z.string(), artifactLocation).nullish(),
  versionControlProvenance: list(z.object({ mappedTo: artifactLocation.nullish() })),
  invocations: list(
    z.object({
      workingDirectory: artifactLocation.nullish(),
      ruleConfigurationOverrides: list(
        z.object({ descriptor: reference, configuration: z.object({ level }) }),
      ),
    }),
  ),
  threadFlowLocations: list(step),
  externalPropertyFileReferences: z.object({ results: list(z.unknown()) }).nullish(),
  results: list(z.unknown()),
});

const log = z.object({
  runs: z.array(z.unknown()),
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
export type Step = z.infer<typeof step>;

/** The log with its runs still unread; throws a `SarifError` for anything but SARIF 2.1.0. */
export function parseLog(value: unknown) {
  const version = parse(z.object({ version: z.unknown().optional() }), value, '').version;
  if (version === undefined) throw new SarifError('NOT_SARIF', 'version', 'is missing, expected "2.1.0"');
  if (version !== '2.1.0') {
    const shown = typeof version === 'string' ? JSON.stringify(version.slice(0, 40)) : typeof version;
    throw new SarifError('UNSUPPORTED_VERSION', 'version', `is ${shown}, expected "2.1.0"`);
  }
  return parse(log, value, '');
}

/** One run with its results still unread, so that a fault is found without reading the rest. */
export function parseRun(value: unknown, path: string): SarifRun {
  return parse(run, value, path);
}

/** One result of a run. */
export function parseResult(value: unknown, path: string): SarifResult {
  return parse(result, value, path);
}

function parse<T extends z.ZodType>(shape: T, value: unknown, path: string): z.output<T> {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SarifError('NOT_SARIF', pathOf(path, issue?.path ?? []), issue?.message ?? 'is not SARIF 2.1.0');
}

function pathOf(start: string, steps: readonly PropertyKey[]): string {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return start === '' ? path.replace(/^\./, '') : start + path;
}
