import type { KeptParts } from './kept-parts.ts';
import type { SarifLevel, Severity } from './severity.ts';

/** One step of a call stack; what the scanner did not report is null. */
export type CallFrame = {
  filePath: string | null;
  line: number | null;
  function: string | null;
  message: string | null;
};

/** How the finding is reached: stacks of `CallFrame` if read from SARIF, any JSON if reported natively. */
export type Reachability = { callStacks: unknown[]; explanation: string | null };

/** What a SARIF log reports about a finding that only the export needs. */
export type Origin = {
  fingerprints: Record<string, string>;
  partialFingerprints: Record<string, string>;
  level: SarifLevel;
  /** The result's own `security-severity`. */
  score: string | number | null;
  /** What is repeated as it came; absent where there is nothing, and in what older versions stored. */
  kept?: KeptParts;
};

/** One finding of one scan, whatever form the scan came in. */
export type ScanFinding = {
  ruleId: string;
  title: string;
  description: string | null;
  severity: Severity;
  /** `CWE-79` and the like, without repeats, in ascending order. */
  cwe: string[];
  /** Relative to the root of the repository, with `/`; empty if the finding has no file. */
  filePath: string;
  startLine: number;
  endLine: number;
  /** Columns are null if the scanner did not report them. */
  startColumn: number | null;
  endColumn: number | null;
  /** Identity reported by the scanner, which distinguishes the finding within its rule and file. */
  fingerprint: string | null;
  /** A weaker identity within the rule and file, reported by the scanner or derived from the message. */
  partialFingerprint: string | null;
  /** Code at the location; it may contain secrets and is only used for the fingerprint. */
  snippet: string | null;
  suppressed: { reason: string; by: string | null } | null;
  reachability: Reachability | null;
  /** Null if reported natively. */
  origin: Origin | null;
};

/** The limits of what is kept of one finding; the reader shortens longer values. */
export const FINDING_LIMITS = {
  ruleIdLength: 512,
  titleLength: 1_000,
  descriptionLength: 20_000,
  filePathLength: 2_048,
  fingerprintLength: 1_024,
  snippetLength: 8_000,
  reasonLength: 2_000,
  explanationLength: 20_000,
  cweCount: 20,
  callStackCount: 20,
  callFrameCount: 200,
  fingerprintCount: 20,
  line: 2_147_483_647,
} as const;
