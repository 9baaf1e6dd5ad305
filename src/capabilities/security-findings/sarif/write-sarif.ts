import type { Result, Run } from 'sarif';
import { clipText } from './clip-text.ts';
import { uriOfFilePath } from './file-path.ts';
import { FINGERPRINT_KEY } from './fingerprint.ts';
import { NOTES_KEY } from './own-notes.ts';
import { cweReference, RunRules } from './run-rules.ts';
import { FINDING_LIMITS, type Reachability, type Severity } from './scan-finding.ts';
import { LEVEL_OF_SEVERITY, SCORE_OF_SEVERITY } from './severity.ts';
import { SOURCE_ROOT, writeReachability } from './write-reachability.ts';

/** One finding of the inventory with all that its SARIF result says. */
export type ExportRow = {
  id: string;
  organizationId: string;
  organizationName: string;
  repositoryId: string;
  repositoryName: string;
  /** Address of the repository at its Git provider, where it is known. */
  repositoryUrl?: string | null;
  ruleId: string;
  title: string;
  description: string | null;
  severity: Severity;
  state: 'open' | 'fixed' | 'dismissed';
  cwe: readonly string[];
  filePath: string;
  startLine: number;
  endLine: number;
  firstDetectedAt: Date | string;
  lastSeenAt: Date | string;
  fixedAt: Date | string | null;
  dismissal: { reason: string; by: string | null } | null;
  revision: string;
  scanId: string;
  coverageScope: string;
  /** As `findingFingerprint` made it. */
  fingerprint: string;
  reachability: Reachability | null;
};

/** The run being written; results name their scan only where it is not that of the first result. */
type OpenRun = { key: string; scanId: string; coverageScope: string; rules: RunRules };

const CHUNK_LENGTH = 64 * 1024;

/** UUIDs as the SARIF schema wants them, which knows none of the newer versions. */
const SARIF_GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * SARIF 2.1.0 log of the rows as chunks of JSON, one run for each repository and revision. Rows of a run must come
 * one after the other; memory holds the rules of one run only, because `results` is written ahead of `tool`.
 */
export async function* writeSarif(
  rows: AsyncIterable<ExportRow> | Iterable<ExportRow>,
  toolVersion?: string,
): AsyncGenerator<string> {
  const runsWritten = new Set<string>();
  const runsOfRepository = new Map<string, number>();
  let run: OpenRun | undefined;
  let text = '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[';

  for await (const row of rows) {
    const key = JSON.stringify([row.repositoryId, row.revision]);
    if (key === run?.key) {
      text += ',';
    } else {
      if (runsWritten.has(key)) throw new Error('Rows must be ordered by repository and revision');
      runsWritten.add(key);
      const ordinal = (runsOfRepository.get(row.repositoryId) ?? 0) + 1;
      runsOfRepository.set(row.repositoryId, ordinal);
      if (run) text += `${endOfRun(run, toolVersion)},`;
      text += startOfRun(row, ordinal);
      run = { key, scanId: row.scanId, coverageScope: row.coverageScope, rules: new RunRules() };
    }
    text += JSON.stringify(resultOf(row, run));
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
  }
  if (run) text += endOfRun(run, toolVersion);
  yield `${text}]}`;
}

/** The run up to and with the bracket that opens its results. */
function startOfRun(row: ExportRow, ordinal: number): string {
  // GitHub takes what precedes the last slash as the category and refuses two runs of one category in a file.
  const category = ordinal === 1 ? `postil/${row.repositoryId}` : `postil/${row.repositoryId}/${ordinal}`;
  const run: Omit<Run, 'tool'> = {
    automationDetails: { id: `${category}/${encodeURIComponent(row.revision.toWellFormed())}` },
    versionControlProvenance: [
      {
        repositoryUri: row.repositoryUrl ?? `urn:uuid:${row.repositoryId}`,
        revisionId: row.revision,
        mappedTo: { uriBaseId: SOURCE_ROOT },
      },
    ],
    originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: 'The root of the repository' } } },
    columnKind: 'utf16CodeUnits',
    properties: {
      [NOTES_KEY]: {
        organizationId: row.organizationId,
        organizationName: row.organizationName,
        repositoryId: row.repositoryId,
        repositoryName: row.repositoryName,
        scanId: row.scanId,
        coverageScope: row.coverageScope,
      },
    },
  };
  return `${JSON.stringify(run).slice(0, -1)},"results":[`;
}

/** The run from the bracket that closes its results. */
function endOfRun({ rules }: OpenRun, toolVersion: string | undefined): string {
  const taxonomies = rules.taxonomies();
  const run: Pick<Run, 'tool' | 'taxonomies'> = {
    tool: {
      driver: {
        name: 'Postil',
        ...(toolVersion && { semanticVersion: toolVersion }),
        rules: rules.descriptors(),
        ...(taxonomies.length > 0 && { supportedTaxonomies: [{ name: 'CWE', index: 0 }] }),
      },
    },
    ...(taxonomies.length > 0 && { taxonomies }),
  };
  return `],${JSON.stringify(run).slice(1)}`;
}

function resultOf(row: ExportRow, run: OpenRun): Result {
  const rule = run.rules.add(row);
  const message = row.description || row.title || row.ruleId;
  const flows = row.reachability && writeReachability(row.reachability);
  const hasGuid = SARIF_GUID.test(row.id);
  const readBack = clipText(message, FINDING_LIMITS.descriptionLength);
  const plainDescription = readBack === '' || readBack === rule.title ? null : readBack;
  const notes = {
    ...(!hasGuid && { id: row.id }),
    ...(row.scanId !== run.scanId && { scanId: row.scanId }),
    ...(row.coverageScope !== run.coverageScope && { coverageScope: row.coverageScope }),
    ...(row.fixedAt !== null && { fixedAt: timeOf(row.fixedAt) }),
    ...(row.ruleId.trim() === '' && { ruleId: row.ruleId }),
    ...(row.title !== rule.title && { title: row.title }),
    ...(row.description !== plainDescription && { description: row.description }),
    ...(row.filePath === '' && row.endLine > 1 && { startLine: row.startLine, endLine: row.endLine }),
    ...(flows && !flows.exact && { reachability: row.reachability }),
  };

  return {
    ruleId: row.ruleId,
    ruleIndex: rule.index,
    level: LEVEL_OF_SEVERITY[row.severity],
    message: { text: message },
    ...(row.filePath !== '' && { locations: [locationOf(row)] }),
    ...(hasGuid && { correlationGuid: row.id }),
    // The line hash is the one key that GitHub follows.
    partialFingerprints: { [FINGERPRINT_KEY]: row.fingerprint, primaryLocationLineHash: row.fingerprint },
    // The standard wants suppressions on all results of a run or on none.
    suppressions: row.state === 'dismissed' ? [suppressionOf(row.dismissal)] : [],
    baselineState: baselineStateOf(row),
    provenance: {
      firstDetectionTimeUtc: timeOf(row.firstDetectedAt),
      lastDetectionTimeUtc: timeOf(row.lastSeenAt),
    },
    ...(row.cwe.length > 0 && { taxa: row.cwe.map(cweReference) }),
    ...(flows && flows.codeFlows.length > 0 && { codeFlows: flows.codeFlows }),
    properties: {
      'security-severity': SCORE_OF_SEVERITY[row.severity],
      ...(Object.keys(notes).length > 0 && { [NOTES_KEY]: notes }),
    },
  };
}

function locationOf({ filePath, startLine, endLine }: ExportRow) {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOfFilePath(filePath), uriBaseId: SOURCE_ROOT },
      region: { startLine, endLine },
    },
  };
}

function suppressionOf(dismissal: ExportRow['dismissal']) {
  return {
    kind: 'external' as const,
    status: 'accepted' as const,
    ...(dismissal && { justification: dismissal.reason }),
    ...(dismissal?.by != null && { properties: { by: dismissal.by } }),
  };
}

/** Against the inventory before the last scan: gone, seen by that scan alone, or seen before. */
function baselineStateOf(row: ExportRow): 'absent' | 'new' | 'unchanged' {
  if (row.state === 'fixed') return 'absent';
  return timeOf(row.firstDetectedAt) === timeOf(row.lastSeenAt) ? 'new' : 'unchanged';
}

function timeOf(value: Date | string): string {
  return new Date(value).toISOString();
}
