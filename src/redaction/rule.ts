import type { Scan } from './find/scan.ts';

/** One way to recognize credentials: where a keyword occurs, `find` examines a bounded part of the text. */
export interface Rule {
  readonly id: string;
  /** Case-insensitive; the rule costs nothing if none of them occurs. */
  readonly keywords: readonly string[];
  readonly find: (scan: Scan, start: number, end: number) => void;
}

/** Replaces every credential, whichever rule found it. */
export const REDACTION_MARKER = '[REDACTED]';
