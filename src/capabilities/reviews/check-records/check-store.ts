import type { Database, Db } from '../../../db/database.ts';
import type { CheckVerdict } from '../../../reviewer/review-report.ts';
import type { HostStatus } from '../../connections/hosts/review-host.ts';
import type { PullRequestKey } from '../../pull-requests/pull-request-state.ts';
import { statusOfChecks } from '../publishing/check-status.ts';
import { toStorableJson } from '../runs/attempt-store.ts';
import { recordVerdicts } from './check-record-store.ts';

/** What a host shows of the checks of a head. */
export type ShownChecks = Pick<HostStatus, 'state' | 'title' | 'description'>;

/** What checks said about a head of a pull request. */
interface Evaluation {
  /** A hash of everything that the verdicts depend on. */
  readonly basis: string;
  /** Empty where no checks are configured. */
  readonly verdicts: readonly CheckVerdict[];
  /** Null where the host shows nothing. */
  readonly shown: ShownChecks | null;
  readonly evaluatedAt: Date;
}

export interface StoredEvaluation extends Evaluation {
  /** Whether no other head of the pull request was evaluated after this one. */
  readonly isNewest: boolean;
}

export async function findEvaluation(
  db: Db,
  { organizationId, repositoryId, number }: PullRequestKey,
  head: string,
): Promise<StoredEvaluation | undefined> {
  const [row] = await db<StoredEvaluation[]>`
    SELECT basis, verdicts, shown, evaluated_at AS "evaluatedAt", is_newest AS "isNewest" FROM pull_request_checks
    WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number} AND head_revision = ${head}`;
  return row;
}

/** Replaces the previous evaluation of this head, and adds the verdicts to the record of each check. */
export async function storeEvaluation(
  database: Database,
  key: PullRequestKey,
  head: string,
  { basis, verdicts, shown, evaluatedAt }: Evaluation,
): Promise<void> {
  const { organizationId, repositoryId, number } = key;
  await database.transaction(async (tx) => {
    await tx`
      UPDATE pull_request_checks SET is_newest = false
      WHERE organization_id = ${organizationId} AND repository_id = ${repositoryId} AND number = ${number}
        AND head_revision <> ${head} AND is_newest`;
    await tx`
      INSERT INTO pull_request_checks (organization_id, repository_id, number, head_revision, basis, verdicts, state, shown, evaluated_at)
      VALUES (${organizationId}, ${repositoryId}, ${number}, ${head}, ${basis}, ${toStorableJson(verdicts)}::text::jsonb,
        ${verdicts.length > 0 ? statusOfChecks(verdicts).state : null}, ${shown === null ? null : toStorableJson(shown)}::text::jsonb,
        ${evaluatedAt})
      ON CONFLICT (organization_id, repository_id, number, head_revision) DO UPDATE SET basis = excluded.basis,
        verdicts = excluded.verdicts, state = excluded.state, shown = excluded.shown, evaluated_at = excluded.evaluated_at,
        is_newest = true`;
    await recordVerdicts(tx, key, verdicts, evaluatedAt);
  });
}
