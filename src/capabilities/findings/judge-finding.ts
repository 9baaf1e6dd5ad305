import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import { isSession } from '../../access/session-principal.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { findRunFinding, type RunFindingPlace } from '../reviews/run-findings/find-run-finding.ts';
import type { OutcomeKey } from '../reviews/run-findings/store-outcome.ts';
import { getReview } from '../reviews/runs/get-review.ts';
import type { RunFinding } from '../reviews/runs/run-record.ts';
import { type ReportDeps, requestReport } from './outcomes/report-outcomes.ts';
import { settleOutcome, signalsKey } from './outcomes/settle-outcome.ts';
import { personSources, type Signal } from './signals/signal.ts';
import { findSignals } from './signals/signal-store.ts';

export interface RunFindingInput {
  readonly runId: string;
  readonly findingId: string;
}

/** A finding of a run of the caller's organization, and the key of its outcome. */
export async function locateFinding(
  { database }: { readonly database: Database },
  { scope }: Pick<CallerContext, 'scope'>,
  { runId, findingId }: RunFindingInput,
): Promise<RunFindingPlace & { readonly key: OutcomeKey }> {
  const organizationId = onlyOrganization(scope).organization.id;
  const found = await findRunFinding(database.sql, organizationId, runId, findingId);
  if (found === undefined)
    throw new AppError('NOT_FOUND', 'There is no such review, or it has no such finding');
  const { repositoryId, pullRequest } = found;
  const of = pullRequest === null ? { runId } : { pullRequest };
  return { ...found, key: { organizationId, repositoryId, of, findingId } };
}

/** An existing finding, with its description for the audit log. */
export interface JudgedFinding {
  readonly key: OutcomeKey;
  readonly title: string;
  readonly prUrl: string | null;
  /** Where the finding is, for the audit log. */
  readonly place: Readonly<Record<string, string | number>>;
}

/**
 * Records a person's verdict on a finding: accepted, not accepted, or null to withdraw an earlier one. It takes precedence
 * over all other signals until the next verdict.
 */
export async function takeWord(
  deps: ReportDeps,
  context: CallerContext,
  { key, title, prUrl, place }: JudgedFinding,
  accepted: boolean | null,
): Promise<void> {
  const { id, name, isBot } = context.actor;
  await deps.database.transaction(async (tx) => {
    const before = lastWord(await findSignals(tx, signalsKey(key)));
    const isSaid = before !== undefined && before.evidence.accepted !== null;
    if (accepted === null && !isSaid) return context.confirmRights([key.organizationId]);
    // Later than the previous verdict even within the same millisecond, so that the newer one counts.
    const at = new Date(Math.max(context.now.getTime(), (before?.at.getTime() ?? 0) + 1));
    const signal: Signal = {
      signal: accepted === null ? before!.signal : accepted ? 'confirmed' : 'dismissed',
      source: isSession(context.principal) ? 'dashboard' : 'api',
      at,
      actor: { id, name, isBot },
      evidence: { accepted },
    };
    await settleOutcome(tx, key, { signals: [signal], prUrl }, context.now);
    await requestReport(tx, deps, key);
    await recordChanges(tx, context, [
      {
        organizationId: key.organizationId,
        action: 'review_finding.judged',
        resourceType: 'review_finding',
        resourceId: key.findingId,
        resourceSummary: title,
        metadata: { ...place, accepted },
      },
    ]);
  });
  deps.queue.wake(deps.reportUnit.name);
}

/** Records a person's verdict on a finding of a run. */
export async function judgeFinding(
  deps: ReportDeps,
  context: CallerContext,
  input: RunFindingInput & { readonly accepted: boolean | null },
): Promise<RunFinding> {
  const { accepted, findingId, runId } = input;
  const { key, title, prUrl } = await locateFinding(deps, context, input);
  await takeWord(deps, context, { key, title, prUrl, place: { review_id: runId } }, accepted);
  const { findings } = await getReview(deps, context, runId);
  return findings.find(({ identity }) => identity === findingId)!;
}

/** The last verdict of a person, withdrawn or not. */
function lastWord(signals: readonly Signal[]): Signal | undefined {
  return signals
    .filter(
      ({ source, signal }) => personSources.has(source) && (signal === 'confirmed' || signal === 'dismissed'),
    )
    .sort((a, b) => b.at.getTime() - a.at.getTime())[0];
}
