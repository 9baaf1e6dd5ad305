import { createHash } from 'node:crypto';
import type { Finding } from '../finding.ts';

/** What makes a finding the same finding in another run. */
export interface IdentityParts {
  /** The rule, or for a model the category. */
  readonly kind: string;
  /** The path under which the file was first known. */
  readonly lineage: string;
  /** The lines that the finding is about, redacted. */
  readonly quote: string;
  readonly symbol: string | null;
  /** Which of several that are otherwise equal, from 0 in the order of the file. */
  readonly occurrence: number;
}

/** A name for the finding that outlives renumbering, indentation, rebases and renames: no line number is part of it (ADR 0080). */
export function identityOf({ kind, lineage, quote, symbol, occurrence }: IdentityParts): string {
  const parts = [kind, lineage, quote.replaceAll(/\s+/g, ''), symbol ?? '', occurrence];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** What kind of finding it is, whatever it says: the rule, or for a model the category. */
export function kindOf({ source, category }: Pick<Finding, 'source' | 'category'>): string {
  return source.kind === 'rule' ? source.name : category;
}
