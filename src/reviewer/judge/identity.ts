import { createHash } from 'node:crypto';
import type { Finding } from '../finding.ts';

/** The parts by which a finding is recognized in another run. */
export interface IdentityParts {
  /** The rule, or for a model the category. */
  readonly kind: string;
  /** The first known path of the file. */
  readonly lineage: string;
  /** The lines that the finding is about, redacted. */
  readonly quote: string;
  readonly symbol: string | null;
  /** The index, from 0 in the order of the file, among findings that are otherwise equal. */
  readonly occurrence: number;
}

/** A hash that stays equal after renumbering, indentation, rebases and renames: it contains no line number (ADR 0080). */
export function identityOf({ kind, lineage, quote, symbol, occurrence }: IdentityParts): string {
  const parts = [kind, lineage, quote.replaceAll(/\s+/g, ''), symbol ?? '', occurrence];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** The kind of a finding, independent of its text: the rule, or for a model the category. */
export function kindOf({ source, category }: Pick<Finding, 'source' | 'category'>): string {
  return source.kind === 'rule' ? source.name : category;
}
