import type { Db, Fragment } from '../../../db/database.ts';
import type { DigestContent } from './digest-content.ts';
import { isOfTeam, type Subject } from './of-team.ts';

/** The cost of reviews, answers and questions of checks in a period. */
export async function findSpending(
  db: Db,
  subject: Subject,
  from: Date,
  to: Date,
): Promise<DigestContent['spending']> {
  const { organizationId, teamId } = subject;
  // For a team: limited to pull requests of its members.
  const ofTeam = (repositoryId: Fragment, number: Fragment) =>
    teamId === null
      ? db`true`
      : db`EXISTS (
          SELECT FROM reviewed_pull_requests v WHERE v.organization_id = ${organizationId}
            AND v.repository_id = ${repositoryId} AND v.number = ${number}
            AND ${isOfTeam(db, subject, db`v.facts->'author'->>'id'`)})`;
  const [row] = await db<{ reviews: number; usd: number; budget: number | null }[]>`
    SELECT runs.reviews, runs.usd + answers.usd + questions.usd AS usd,
      (SELECT budget_usd_per_month FROM review_settings WHERE organization_id = ${organizationId}) AS budget
    FROM (
      SELECT count(*) FILTER (WHERE r.status IN ('succeeded', 'degraded'))::int AS reviews, coalesce(sum(r.cost_usd), 0) AS usd
      FROM review_runs r WHERE r.organization_id = ${organizationId} AND r.created_at >= ${from} AND r.created_at < ${to}
        AND ${ofTeam(db`r.repository_id`, db`r.pull_request`)}) AS runs,
    (
      SELECT coalesce(sum(a.cost_usd), 0) AS usd FROM addressed_comments a
      WHERE a.organization_id = ${organizationId} AND a.decided_at >= ${from} AND a.decided_at < ${to}
        AND ${ofTeam(db`a.repository_id`, db`a.number`)}) AS answers,
    (
      SELECT coalesce(sum(q.cost_usd), 0) AS usd FROM check_answers q
      WHERE q.organization_id = ${organizationId} AND q.asked_at >= ${from} AND q.asked_at < ${to}
        AND ${ofTeam(db`q.repository_id`, db`q.number`)}) AS questions`;
  const { reviews, usd, budget } = row!;
  return { reviews, usd, budget_usd_per_month: teamId === null ? budget : null };
}
