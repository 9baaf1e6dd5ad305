import type { Scan } from './find/scan.ts';

/** One way to recognise credentials: where a keyword stands, `find` looks at a bounded piece of the text. */
export interface Rule {
  readonly id: string;
  /** Found in either case; the rule costs nothing where none of them stands. */
  readonly keywords: readonly string[];
  readonly find: (scan: Scan, start: number, end: number) => void;
}

/** Stands in place of every credential, whichever rule found it. */
export const REDACTION_MARKER = '[REDACTED]';
