import type { Run } from 'sarif';
import { NOTES_KEY } from '../own-notes.ts';
import { artifactPaths } from '../read/artifact-paths.ts';
import type { SarifRun } from '../read/sarif-shape.ts';
import type { RuleFacts } from '../sarif-rule-facts.ts';
import { parseToolKey } from '../scan-tool.ts';
import type { ToolFacts } from '../tool-facts.ts';
import type { ExportRow, OpenRun } from './export-row.ts';
import { RunArtifacts } from './run-artifacts.ts';
import { RunRules } from './run-rules.ts';
import { SOURCE_ROOT } from './write-reachability.ts';
import { writeResult } from './write-result.ts';

/** Looks up the description of a tool and its rules; empty for native findings. */
export type DescribeTool = (
  row: Pick<ExportRow, 'organizationId' | 'repositoryId' | 'tool'>,
) => Promise<{ facts: ToolFacts | null; rules: ReadonlyMap<string, RuleFacts> }>;

const CHUNK_LENGTH = 64 * 1024;

/**
 * Writes the rows as a SARIF 2.1.0 log in chunks of JSON, with one run per repository, tool and revision. The rows of a run
 * must be adjacent; only the rules of one run are kept in memory, because `results` is written before `tool`.
 */
export async function* writeSarif(
  rows: AsyncIterable<ExportRow> | Iterable<ExportRow>,
  describeTool: DescribeTool,
): AsyncGenerator<string> {
  const runsWritten = new Set<string>();
  const runsOfRepository = new Map<string, number>();
  let run: OpenRun | undefined;
  let isFirstResult = true;
  let text = '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[';

  for await (const row of rows) {
    const key = JSON.stringify([row.repositoryId, row.tool, row.revision]);
    if (key !== run?.key) {
      if (runsWritten.has(key)) throw new Error('Rows must be ordered by repository, tool and revision');
      runsWritten.add(key);
      const ordinal = (runsOfRepository.get(row.repositoryId) ?? 0) + 1;
      runsOfRepository.set(row.repositoryId, ordinal);
      if (run) text += `${endOfRun(run)},`;
      const { facts, rules } = await describeTool(row);
      run = {
        key,
        first: row,
        facts,
        rules: new RunRules(rules),
        artifacts: new RunArtifacts(),
        paths: artifactPaths(exportedBases(facts) as Pick<SarifRun, 'originalUriBaseIds'>),
        withoutFile: 0,
      };
      text += startOfRun(run, ordinal);
      isFirstResult = true;
    }
    if (row.filePath === '') {
      run.withoutFile += 1;
      continue;
    }
    text += `${isFirstResult ? '' : ','}${JSON.stringify(writeResult(row, run))}`;
    isFirstResult = false;
    if (text.length >= CHUNK_LENGTH) {
      yield text;
      text = '';
    }
  }
  if (run) text += endOfRun(run);
  yield `${text}]}`;
}

/** The run up to and including the bracket that opens its results. */
function startOfRun({ first: row, facts }: OpenRun, ordinal: number): string {
  // GitHub takes the part before the last slash as the category, and rejects a file with two runs of one category.
  const category = ordinal === 1 ? `postil/${row.repositoryId}` : `postil/${row.repositoryId}/${ordinal}`;
  const run: Omit<Run, 'tool'> = {
    automationDetails: { id: `${category}/${encodeURIComponent(row.revision.toWellFormed())}` },
    ...exportedBases(facts),
    versionControlProvenance: [
      {
        repositoryUri: row.repositoryUrl ?? `urn:uuid:${row.repositoryId}`,
        revisionId: row.revision,
        mappedTo: { uriBaseId: SOURCE_ROOT },
      },
    ],
    columnKind: facts?.columnKind ?? 'utf16CodeUnits',
  };
  return `${JSON.stringify(run).slice(0, -1)},"results":[`;
}

/** The bases of paths in the run: the repository's root, and those of the tool. */
function exportedBases(facts: ToolFacts | null) {
  const root = { description: { text: 'The root of the repository' } };
  return { originalUriBaseIds: { ...facts?.bases, [SOURCE_ROOT]: root } };
}

/** The run from the bracket that closes its results onwards. */
function endOfRun({ first, facts, rules, artifacts, withoutFile }: OpenRun): string {
  const taxonomies = rules.taxonomies();
  const tool = parseToolKey(first.tool);
  const table = artifacts.table();
  const { columnKind, bases, ...driver } = facts ?? { name: tool && 'name' in tool ? tool.name : 'Postil' };
  const notification = {
    level: 'note' as const,
    message: { text: `Findings without a file that are left out of this run: ${withoutFile}` },
  };
  const run: Omit<Run, 'results'> = {
    tool: {
      driver: {
        ...driver,
        rules: rules.descriptors(),
        ...(taxonomies.length > 0 && { supportedTaxonomies: [{ name: 'CWE', index: 0 }] }),
      },
    },
    ...(taxonomies.length > 0 && { taxonomies }),
    ...(table.length > 0 && { artifacts: table }),
    ...(withoutFile > 0 && {
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [notification] }],
    }),
    properties: {
      [NOTES_KEY]: {
        organizationId: first.organizationId,
        organizationName: first.organizationName,
        repositoryId: first.repositoryId,
        repositoryName: first.repositoryName,
        scanId: first.scanId,
        coverageScope: first.coverageScope,
        tool,
        ...(withoutFile > 0 && { findingsWithoutFile: withoutFile }),
      },
    },
  };
  return `],${JSON.stringify(run).slice(1)}`;
}
