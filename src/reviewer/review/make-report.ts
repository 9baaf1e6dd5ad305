import { redactCredentials } from '../../redaction/redact-credentials.ts';
import type { Finding } from '../finding.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import type { KnownImpact } from '../report/impact.ts';
import type { Standing } from '../report/preexisting.ts';
import type { ReportPieces } from '../report/report-part.ts';
import { peopleOfGit, suggestReviewers } from '../report/reviewers.ts';
import { assessRisk } from '../report/risk.ts';
import { type CheckVerdict, emptyReport, type QuietFinding, type Report } from '../review-report.ts';
import type { Comparison } from '../rule-source.ts';
import type { ReviewRequest } from './review-request.ts';

/** The results of a review that its report needs. */
export interface Reviewed {
  /** All open findings. */
  readonly findings: readonly Pick<Finding, 'severity'>[];
  readonly impact: KnownImpact;
  /** The results of sources that compare both sides of the change, which may add to the report. */
  readonly compared: readonly Pick<Comparison, 'report'>[];
  readonly standing: Standing;
  readonly guidelines: readonly string[];
  readonly checks: readonly CheckVerdict[];
  readonly quiet: readonly QuietFinding[];
}

const reportPart = partAt<typeof import('../report/report-part.ts')>(
  '../report/report-part',
  import.meta.url,
);

/** Makes the report of a review. Pieces that fail are missing in it, with a note; the review itself does not fail. */
export async function makeReport(
  request: ReviewRequest,
  { findings, impact, compared, standing, guidelines, checks, quiet }: Reviewed,
): Promise<{ readonly report: Report; readonly notes: readonly string[] }> {
  const pieces = await readPieces(request);
  const notes = [...(pieces.notes ?? [])];
  const { together, total: totalTogether } = pieces.together ?? { together: [], total: 0 };
  const people = request.people ?? peopleOfGit;
  const report: Report = {
    ...emptyReport,
    ...(pieces.walkthrough !== undefined && { walkthrough: pieces.walkthrough }),
    impact: impact.entries,
    total_impact: impact.total,
    together,
    total_together: totalTogether,
    ...Object.assign({}, ...compared.map((each) => each.report)),
    checks,
    preexisting: standing.entries,
    total_preexisting: standing.total,
    quiet,
    reviewers: pieces.involved === undefined ? [] : await suggestReviewers(pieces.involved, people),
    guidelines,
    risk: assessRisk({ files: pieces.files, fixes: pieces.fixes, impact: impact.entries, findings }),
  };
  return { report: withoutCredentials(report), notes };
}

async function readPieces({ run, change, ownersDialect, signal, deadline }: ReviewRequest) {
  let known: ReportPieces = {};
  const onReport = (told: unknown) => {
    known = told as ReportPieces;
  };
  const without = (why: string) => ({
    ...known,
    notes: [...(known.notes ?? []), `The report is incomplete: ${why}`],
  });
  if (deadline?.aborted) return without('no time was left for it');
  try {
    return await run(reportPart, { change, dialect: ownersDialect }, { onReport });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PartEnded) return without(error.message);
    return without((error as Error).message.split('\n')[0]!.slice(0, 200));
  }
}

/** Redacts all texts in a value: the author of a change chose the names in it, and one may contain a credential. */
function withoutCredentials<Value>(value: Value): Value {
  const texts: string[] = [];
  const visit = (inner: unknown): void => {
    if (typeof inner === 'string') texts.push(inner);
    else if (typeof inner === 'object' && inner !== null) Object.values(inner).forEach(visit);
  };
  visit(value);
  // Names are checked together, because there can be very many.
  const all = texts.join('\n');
  return redactCredentials(all) === all ? value : redactTexts(value);
}

function redactTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return redactCredentials(value) as Value;
  if (Array.isArray(value)) return value.map(redactTexts) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactTexts(inner)])) as Value;
}
