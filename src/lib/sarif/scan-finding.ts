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

/** The parts of a finding in a SARIF log that only the export needs. */
export type Origin = {
  fingerprints: Record<string, string>;
  partialFingerprints: Record<string, string>;
  level: SarifLevel;
  /** The result's own `security-severity`. */
  score: string | number | null;
  /** The parts that an export repeats unchanged; absent if there are none, and in rows of older versions. */
  kept?: KeptParts;
};

/** One finding of one scan, in whatever format the scan was sent. */
export type ScanFinding = {
  ruleId: string;
  title: string;
  description: string | null;
  severity: Severity;
  /** CWE names such as `CWE-79`, unique and in ascending order. */
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

/** The limits on the stored values of one finding; the reader shortens longer ones. */
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
