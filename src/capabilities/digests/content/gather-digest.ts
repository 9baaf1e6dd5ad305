import type { Db } from '../../../db/database.ts';
import { AppError } from '../../../lib/app-error.ts';
import { type Severity, severities } from '../../../reviewer/finding-vocabulary.ts';
import { nameGroups, teamNames } from '../../insights/groups/group-names.ts';
import { measureWindow } from '../../insights/measures/measure-window.ts';
import { precedingWindow } from '../../insights/measures/summarise-window.ts';
import { metricsOf, type SelectedWindow } from '../../insights/window/select-pull-requests.ts';
import type { Period } from '../period.ts';
import type { DigestContent } from './digest-content.ts';
import { findSpending } from './find-spending.ts';
import { findStuck } from './find-stuck.ts';
import type { Subject } from './of-team.ts';

const maxRepositories = 10;
const maxRules = 20;

async function measureMerged(db: Db, window: SelectedWindow): Promise<DigestContent['merged']> {
  const { total, groups } = await measureWindow(db, window, 'repository');
  const before = { ...window, filter: { ...window.filter, ...precedingWindow(window.filter) } };
  const previous = await measureWindow(db, before, null);
  const most = groups
    .toSorted((a, b) => b.pull_requests - a.pull_requests || (a.key < b.key ? -1 : 1))
    .slice(0, maxRepositories);
  const names = await nameGroups(
    db,
    window,
    'repository',
    most.map(({ key }) => key),
  );
  return {
    pull_requests: total.pull_requests,
    previous: previous.total.pull_requests,
    median_seconds: total.merge.median,
    repositories: most.flatMap(({ pull_requests }, index) => {
      const { name } = names[index]!;
      return name === null ? [] : [{ name, pull_requests }];
    }),
  };
}

async function measureFindings(db: Db, window: SelectedWindow): Promise<DigestContent['findings']> {
  const { total, groups } = await measureWindow(db, window, 'severity');
  const order: readonly string[] = [...severities, ''];
  return {
    posted: total.posted,
    accepted: total.accepted,
    not_accepted: total.not_accepted,
    by_severity: groups
      .toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
      .map(({ key, posted, accepted }) => ({
        severity: key === '' ? null : (key as Severity),
        posted,
        accepted,
      })),
  };
}

async function findQuietRules(db: Db, { organizationId }: Subject, from: Date, to: Date) {
  return db<{ rule: string; accepted: number; rejected: number }[]>`
    SELECT rule, accepted::int, rejected::int FROM review_rules
    WHERE organization_id = ${organizationId} AND state = 'quiet' AND since >= ${from} AND since < ${to}
    ORDER BY rule COLLATE "C" LIMIT ${maxRules}`;
}

/** The name of the team; throws if it is gone. */
async function nameOfTeam(db: Db, { organizationIds, storageIds }: SelectedWindow, teamId: string) {
  const team = (await teamNames(db, { organizationIds, storageIds }, [teamId])).get(teamId);
  if (team === undefined) throw new AppError('NOT_FOUND', 'There is no such team');
  return team.name;
}

/** Gathers the content of a digest for a period; throws if the team is gone, or the metrics cannot be read now. */
export async function gatherDigest(db: Db, subject: Subject, period: Period): Promise<DigestContent> {
  const { organizationId, teamId } = subject;
  const place = await metricsOf(db, [organizationId]);
  const filter = { ...period, ...(teamId !== null && { teamIds: [teamId] }) };
  const window: SelectedWindow = { ...place, filter };
  const from = new Date(`${period.startDate}T00:00:00Z`);
  const to = new Date(new Date(`${period.endDate}T00:00:00Z`).getTime() + 86_400_000);
  const [organization] = await db<{ name: string }[]>`
    SELECT name FROM organizations WHERE id = ${organizationId}`;
  return {
    organization: organization!.name,
    team: teamId === null ? null : await nameOfTeam(db, window, teamId),
    start_date: period.startDate,
    end_date: period.endDate,
    merged: await measureMerged(db, window),
    findings: await measureFindings(db, window),
    stuck: await findStuck(db, subject, place.storageIds, to),
    quiet_rules: teamId === null ? await findQuietRules(db, subject, from, to) : null,
    spending: await findSpending(db, subject, from, to),
  };
}
