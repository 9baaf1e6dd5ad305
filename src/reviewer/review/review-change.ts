import { checkChange } from '../checks/check-change.ts';
import type { Severity } from '../finding-vocabulary.ts';
import { quietNotes, withoutQuiet } from '../judge/attention.ts';
import { judgeFindings } from '../judge/judge.ts';
import { toNotes } from '../notes.ts';
import { impactOf } from '../report/impact.ts';
import type { CheckVerdict } from '../review-report.ts';
import { askHere } from './asking/ask-here.ts';
import { describeLook, lookAtChange } from './look-at-change.ts';
import { makeReport } from './make-report.ts';
import type { ReviewRequest } from './review-request.ts';
import type { ReviewResult } from './review-result.ts';

/** Reviews a change: plans, collects findings of rules and model, judges which are posted, and makes the report. */
export async function reviewChange(request: ReviewRequest): Promise<ReviewResult> {
  const look = await lookAtChange(request);
  const judged = judgeFindings(look.found, request.configuration, undefined, request.records);
  const findings = [...judged.findings, ...judged.overflow];
  const { report, notes } = look.isRead
    ? await makeReport(request, {
        findings,
        impact: impactOf(look.sight),
        compared: look.compared,
        standing: look.standing,
        guidelines: look.answer?.guidelines ?? [],
        checks: await checkAsked(
          request,
          withoutQuiet(findings, judged.quiet).map(({ severity }) => severity),
        ),
        quiet: judged.quiet,
      })
    : { report: null, notes: [] };
  const used = request.model?.used?.();
  return {
    ...describeLook(look),
    ...(used && { usage: used }),
    ...judged,
    report,
    notes: toNotes([
      ...(request.notes ?? []),
      ...look.remarks,
      ...quietNotes(judged.quiet, findings),
      ...notes,
    ]),
  };
}

/** Evaluates the checks of a change without a pull request; none if the request has no checks. */
async function checkAsked(
  { configuration, checks, change, run, model }: ReviewRequest,
  findings: readonly Severity[],
): Promise<readonly CheckVerdict[]> {
  if (checks === undefined) return [];
  const request = { settings: [configuration.checks], change, reports: checks.coverage, owners: null, run };
  const answerTo = await askHere({ model, configuration, change, run });
  return checkChange(request, { pullRequest: null, findings, unreviewed: null, answerTo });
}
