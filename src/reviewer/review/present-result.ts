import { redactCredentials } from '../../redaction/redact-credentials.ts';
import { shownPath, withShownPaths } from '../../redaction/shown-path.ts';
import type { Finding } from '../finding.ts';
import type { ReviewResult } from './review-result.ts';

/** The facts about a finding that the review itself does not know: where it is posted, and its outcome. */
export interface FindingLife {
  readonly url: string | null;
  readonly state: 'open' | 'outdated' | 'resolved' | 'dismissed';
  readonly accepted: boolean | null;
}

const unposted: FindingLife = { url: null, state: 'open', accepted: null };

/** Formats a finding for the API. Its texts may repeat a line with a credential, which not all readers may see. */
export function presentFinding(
  finding: Omit<Finding, 'quote' | 'symbol' | 'isInDiff'>,
  { url, state, accepted } = unposted,
) {
  return {
    finding_id: finding.identity,
    path: shownPath(finding.path),
    side: finding.side,
    start_line: finding.startLine,
    end_line: finding.endLine,
    severity: finding.severity,
    category: finding.category,
    title: redactCredentials(finding.title),
    body: redactCredentials(finding.body),
    suggestion: finding.suggestion && redactCredentials(finding.suggestion),
    source: finding.source,
    related: withShownPaths(finding.related).map(({ path, startLine, endLine, text }) => ({
      path,
      start_line: startLine,
      end_line: endLine,
      text,
    })),
    confidence: finding.confidence,
    rules: finding.rules,
    cwe: finding.cwe,
    learning_ids: finding.learningIds,
    url,
    state,
    accepted,
  };
}

/** Formats the part of the run object that the review itself knows, including findings beyond the limit of comments. */
export function presentResult(result: ReviewResult) {
  const { usage } = result;
  return {
    status: result.status,
    reason: result.reason,
    base_revision: result.baseRevision,
    head_revision: result.headRevision,
    coverage: withShownPaths(result.coverage),
    usage: {
      model: usage?.model ?? null,
      input_tokens: usage?.inputTokens ?? 0,
      output_tokens: usage?.outputTokens ?? 0,
      cost_usd: usage?.costUsd ?? 0,
      calls: usage?.calls ?? 0,
      tool_calls: usage?.toolCalls ?? 0,
    },
    estimated_complexity: result.estimatedComplexity,
    estimated_review_minutes: result.estimatedReviewMinutes,
    notes: result.notes,
    findings: [...result.findings, ...result.overflow].map((finding) => presentFinding(finding)),
    report: result.report,
  };
}
