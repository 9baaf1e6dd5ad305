import type { ArtifactPaths } from '../read/artifact-paths.ts';
import type { Origin, Reachability } from '../scan-finding.ts';
import type { Severity } from '../severity.ts';
import type { ToolFacts } from '../tool-facts.ts';
import type { RunArtifacts } from './run-artifacts.ts';
import type { RunRules } from './run-rules.ts';

/** One finding of the inventory with everything its SARIF result contains. */
export type ExportRow = {
  id: string;
  organizationId: string;
  organizationName: string;
  repositoryId: string;
  repositoryName: string;
  /** Address of the repository at its Git provider, if known. */
  repositoryUrl?: string | null;
  /** A key from `toolKey`. */
  tool: string;
  ruleId: string;
  title: string;
  description: string | null;
  severity: Severity;
  state: 'open' | 'fixed' | 'dismissed';
  cwe: readonly string[];
  filePath: string;
  startLine: number;
  endLine: number;
  startColumn: number | null;
  endColumn: number | null;
  firstDetectedAt: Date | string;
  lastSeenAt: Date | string;
  fixedAt: Date | string | null;
  dismissal: { reason: string; by: string | null } | null;
  revision: string;
  scanId: string;
  coverageScope: string;
  /** Our own fingerprint, which identifies the finding. */
  fingerprint: string;
  origin: Origin | null;
  reachability: Reachability | null;
};

/** The run being written; a result names its scan only if it differs from that of the first result. */
export type OpenRun = {
  key: string;
  first: ExportRow;
  facts: ToolFacts | null;
  rules: RunRules;
  artifacts: RunArtifacts;
  /** Resolves paths in repeated parts. */
  paths: ArtifactPaths;
  /** Number of findings without a file; code hosts reject those, so they are left out. */
  withoutFile: number;
};
