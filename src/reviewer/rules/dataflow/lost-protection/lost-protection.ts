import type { LostProtectionRule } from './protection-table.ts';

/** A protection that is gone, and the lines that it no longer protects. */
export interface LostProtection {
  readonly rule: LostProtectionRule;
  readonly startLine: number;
  readonly endLine: number;
  readonly message: string;
  /** Something that, added elsewhere in the change, tells that the protection has only moved. */
  readonly movedBy: RegExp;
  readonly cwe?: `CWE-${number}`;
}
