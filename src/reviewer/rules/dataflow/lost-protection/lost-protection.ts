import type { LostProtectionRule } from './protection-table.ts';

/** A removed protection, and the lines that it no longer protects. */
export interface LostProtection {
  readonly rule: LostProtectionRule;
  readonly startLine: number;
  readonly endLine: number;
  readonly message: string;
  /** If this matches an added line of the change, the protection has only moved. */
  readonly movedBy: RegExp;
  readonly cwe?: `CWE-${number}`;
}
