import { isUnstorable } from '../wire/unstorable-text.ts';
import { clipName, clipText } from './clip-text.ts';
import { isAddress } from './kept-parts.ts';
import { NOTES_KEY } from './own-notes.ts';
import type { SarifRun } from './read/sarif-shape.ts';
import { isUri } from './sarif-rule-facts.ts';
import type { ScanTool } from './scan-tool.ts';

const MAX_NAME_LENGTH = 255;
const MAX_CATEGORY_LENGTH = 1_024;
const MAX_BASES = 50;

/** The part of a log's description of its tool that is kept for the export. */
export type ToolFacts = {
  name: string;
  fullName?: string;
  organization?: string;
  version?: string;
  semanticVersion?: string;
  informationUri?: string;
  columnKind?: 'utf16CodeUnits' | 'unicodeCodePoints';
  /** The base URIs of paths in the repeated parts of results. */
  bases?: Record<string, UriBase>;
};

type UriBase = { uri?: string; uriBaseId?: string };

/** Returns the tool of a run. In our own export that is the tool of the original findings, or null if unknown. */
export function toolOfRun(run: SarifRun): ScanTool | null {
  const notes = run.properties?.[NOTES_KEY];
  if (isRecord(notes) && 'tool' in notes) return readTool(notes.tool);
  return { name: nameOf(run), category: categoryOf(run.automationDetails?.id ?? '') };
}

/** Reads the description of a run's tool. */
export function readToolFacts(run: SarifRun): ToolFacts {
  const { fullName, organization, version, semanticVersion, informationUri } = run.tool.driver;
  const named = Object.entries({ fullName, organization, version, semanticVersion })
    .map(([key, value]) => [key, clipText(value ?? '', MAX_NAME_LENGTH)])
    .filter(([, value]) => value !== '');
  const uri = informationUri?.trim() ?? '';
  const bases = readBases(run);
  return {
    name: nameOf(run),
    ...Object.fromEntries(named),
    ...(isUri(uri) && { informationUri: uri }),
    ...(run.columnKind && { columnKind: run.columnKind }),
    ...(bases.length > 0 && { bases: Object.fromEntries(bases) }),
  };
}

function readBases({ originalUriBaseIds }: SarifRun): [string, UriBase][] {
  return Object.entries(originalUriBaseIds ?? {})
    .filter(
      ([name, { uri }]) => name.length <= MAX_NAME_LENGTH && !isUnstorable(name) && isAddress(uri ?? ''),
    )
    .slice(0, MAX_BASES)
    .map(([name, { uri, uriBaseId }]) => [
      name,
      { ...(uri && { uri }), ...(uriBaseId && !isUnstorable(uriBaseId) && { uriBaseId }) },
    ]);
}

function nameOf(run: SarifRun): string {
  return clipName(run.tool.driver.name?.trim() || 'unknown', MAX_NAME_LENGTH);
}

/** As on GitHub, the category is the part before the last slash; the rest names one run. */
function categoryOf(id: string): string | null {
  const category = id.slice(0, Math.max(0, id.lastIndexOf('/')));
  return category === '' ? null : clipName(category, MAX_CATEGORY_LENGTH);
}

function readTool(value: unknown): ScanTool | null {
  if (!isRecord(value)) return null;
  const { name, category, source } = value;
  if (typeof source === 'string') return { source: clipName(source, 2_048) };
  if (typeof name !== 'string') return null;
  return {
    name: clipName(name, MAX_NAME_LENGTH),
    category: typeof category === 'string' ? clipName(category, MAX_CATEGORY_LENGTH) : null,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
