import type { SarifLevel, Severity } from './severity.ts';

/** One step of a call stack; what the scanner did not say is null. */
export type CallFrame = {
  filePath: string | null;
  line: number | null;
  function: string | null;
  message: string | null;
};

/** How the finding is reached: stacks of `CallFrame` when read from SARIF, any JSON when reported natively. */
export type Reachability = { callStacks: unknown[]; explanation: string | null };

/** What a SARIF log says of a finding that the inventory itself has no use for, kept for the export. */
export type Origin = {
  fingerprints: Record<string, string>;
  partialFingerprints: Record<string, string>;
  level: SarifLevel;
  /** The result's own `security-severity`. */
  score: string | number | null;
};

/** One finding of one scan, whatever form the scan came in. */
export type ScanFinding = {
  ruleId: string;
  title: string;
  description: string | null;
  severity: Severity;
  /** `CWE-79` and the like, without repeats, in ascending order. */
  cwe: string[];
  /** Relative to the root of the repository, with `/`; empty when the finding is about no file. */
  filePath: string;
  startLine: number;
  endLine: number;
  /** Where the scanner gave none they are null. */
  startColumn: number | null;
  endColumn: number | null;
  /** Identity given by the scanner, which tells the finding apart within its rule and file. */
  fingerprint: string | null;
  /** What tells the finding apart within its rule and file, given by the scanner or taken from its message. */
  partialFingerprint: string | null;
  /** Code at the place; it may hold secrets and serves the fingerprint only. */
  snippet: string | null;
  suppressed: { reason: string; by: string | null } | null;
  reachability: Reachability | null;
  /** Null when reported natively. */
  origin: Origin | null;
};

/** Longest values kept of one finding; the reader shortens what is longer. */
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
