import type { Finding } from '../../../../reviewer/finding.ts';
import type { PostedFinding } from '../../publishing/own-comments.ts';

export type FindingState = 'open' | 'outdated' | 'resolved' | 'dismissed';

/** A finding of a pull request as it was last seen. */
export interface KnownFinding extends Finding {
  /** The path under which its file was first known in the pull request. */
  readonly lineage: string;
  /** The head that its place refers to. */
  readonly headRevision: string;
  readonly state: FindingState;
  readonly accepted: boolean | null;
  /** Its comment at the host; null if it is only in the summary. */
  readonly posted: Omit<PostedFinding, 'findingId'> | null;
  /** Whether a member has released it, if the repository's reviews wait for that. */
  readonly isReleased: boolean;
  /** The last run that saw it. */
  readonly lastRunId: string;
}

/** Converts a known finding to one that a review raises. */
export function asFinding({
  path,
  side,
  startLine,
  endLine,
  severity,
  category,
  title,
  body,
  suggestion,
  identity,
  source,
  related,
  confidence,
  cwe,
  rules,
  quote,
  symbol,
  isInDiff,
  learningIds,
}: Finding): Finding {
  const place = { path, side, startLine, endLine };
  const text = { severity, category, title, body, suggestion };
  const grounds = { related, confidence, cwe, rules };
  return { ...place, ...text, ...grounds, identity, source, quote, symbol, isInDiff, learningIds };
}
