import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts';
import type { MadeUpOrganization, MadeUpPerson } from './companies.ts';
import { learningTexts, securityRules } from './texts.ts';

const dayMs = 86_400_000;
const severities = ['critical', 'major', 'minor', 'minor', 'minor', 'trivial', 'trivial', 'info'] as const;
const categories = [
  'functional_correctness',
  'functional_correctness',
  'maintainability_and_code_quality',
  'maintainability_and_code_quality',
  'security_and_privacy',
  'performance_and_scalability',
  'stability_and_availability',
  'data_integrity_and_integration',
] as const;
const acceptedShare: Record<string, number> = {
  critical: 0.86,
  major: 0.74,
  minor: 0.55,
  trivial: 0.38,
  info: 0.22,
};
const pullRequestsPerOrganization = 320;
const spanDays = 120;

export interface MadeUpEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  readonly data: Record<string, unknown>;
}

function tenantOf({ provider, orgId, instance }: MadeUpOrganization) {
  return { provider, org_id: orgId, ...(instance !== undefined && { instance }) };
}

function event(
  organization: MadeUpOrganization,
  type: string,
  name: string,
  time: Date,
  data: Record<string, unknown>,
): MadeUpEvent {
  const source = `/made-up/${organization.orgId}`;
  return {
    specversion: '1.0',
    id: `${type}/${name}`,
    source,
    type,
    time: time.toISOString(),
    data: { ...tenantOf(organization), ...data },
  };
}

function findingsOf(random: SeededRandom, url: string) {
  const count = random.chance(0.12) ? 0 : 1 + random.below(random.chance(0.1) ? 14 : 5);
  return Array.from({ length: count }, (_, index) => {
    const severity = random.pick(severities);
    const accepted = random.chance(0.12) ? null : random.chance(acceptedShare[severity]!);
    return {
      finding_id: `f${index + 1}`,
      url: `${url}#discussion_r${1000 + index}`,
      severity,
      category: random.pick(categories),
      accepted,
    };
  });
}

function* pullRequestEvents(
  organization: MadeUpOrganization,
  random: SeededRandom,
  today: Date,
): Generator<MadeUpEvent> {
  for (let serial = 1; serial <= pullRequestsPerOrganization; serial += 1) {
    const repository = random.pick(organization.repositories);
    const author: MadeUpPerson = random.pick(organization.people);
    const openedAt = new Date(today.getTime() - random.next() * spanDays * dayMs);
    const mergedAt = new Date(Math.min(openedAt.getTime() + random.next() * 4 * dayMs, today.getTime()));
    const roll = random.next();
    const state = roll < 0.88 ? 'merged' : roll < 0.95 ? 'closed' : 'open';
    const url = `https://git.test/${organization.name}/${repository.name}/pull/${serial}`;
    yield event(organization, 'postil.pull_request', String(serial), state === 'open' ? openedAt : mergedAt, {
      repository_id: repository.id,
      number: serial,
      url,
      state,
      author_id: author.userId,
      author_username: author.username,
      created_at: openedAt.toISOString(),
      ready_for_review_at: openedAt.toISOString(),
      ...(state !== 'open' && {
        first_human_review_at: new Date(
          openedAt.getTime() + (mergedAt.getTime() - openedAt.getTime()) / (2 + (serial % 5)),
        ).toISOString(),
      }),
      last_commit_at: new Date((openedAt.getTime() + mergedAt.getTime()) / 2).toISOString(),
      ...(state === 'merged' && { merged_at: mergedAt.toISOString() }),
      ...(state !== 'open' && { closed_at: mergedAt.toISOString() }),
      review_iterations: 1 + random.below(4),
      estimated_complexity: 1 + random.below(5),
      estimated_review_minutes: 5 + random.below(55),
      findings: findingsOf(random, url),
    });
    if (state === 'merged' && random.chance(0.25)) {
      const calls = 1 + random.below(9);
      yield event(organization, 'postil.mcp_usage', String(serial), mergedAt, {
        pr_url: url,
        servers: [
          {
            name: random.pick(['jira', 'confluence', 'sentry']),
            tools: [{ name: 'search', calls, failures: random.below(2) }],
          },
        ],
      });
    }
  }
}

function* learningEvents(
  organization: MadeUpOrganization,
  random: SeededRandom,
  today: Date,
): Generator<MadeUpEvent> {
  for (const [index, learning] of learningTexts.entries()) {
    if (random.chance(0.35)) continue;
    const ageDays = index < 3 ? random.next() * 4 : random.next() * spanDays;
    yield event(
      organization,
      'postil.learning_captured',
      String(index),
      new Date(today.getTime() - ageDays * dayMs),
      {
        repository_id: random.pick(organization.repositories).id,
        learning,
        author_id: random.pick(organization.people).userId,
        origin: random.chance(0.6) ? 'chat' : 'pipeline',
        ...(random.chance(0.3) && { file: 'src/server/handler.ts' }),
      },
    );
  }
}

function* scanEvents(
  organization: MadeUpOrganization,
  random: SeededRandom,
  today: Date,
): Generator<MadeUpEvent> {
  for (const repository of organization.repositories.slice(0, 3)) {
    const findings = Array.from({ length: 6 + random.below(12) }, (_, index) => {
      const rule = random.pick(securityRules);
      const line = 1 + random.below(400);
      return {
        ...rule,
        file_path: `src/${random.pick(['api', 'jobs', 'auth', 'db'])}/module-${index}.ts`,
        start_line: line,
        end_line: line + random.below(4),
        fingerprint: `${repository.id}-${index}`,
      };
    });
    for (const [scan, kept] of [findings.length, findings.length - 2].entries()) {
      const time = new Date(today.getTime() - (30 - scan * 25) * dayMs);
      yield event(organization, 'postil.security_scan', `${repository.id}-${scan}`, time, {
        repository_id: repository.id,
        scan_id: `scan-${repository.id}-${scan}`,
        revision: `${repository.id}${scan}`.padStart(40, 'a'),
        coverage_scope: 'repository',
        findings: findings.slice(0, kept),
      });
    }
  }
}

/** Generates the events of reviewers and scanners in the last four months; the same for all runs on one day. */
export function* madeUpEvents(
  organizations: readonly MadeUpOrganization[],
  today: Date,
): Generator<MadeUpEvent> {
  for (const organization of organizations) {
    const random = seededRandom(Number(organization.orgId));
    yield* pullRequestEvents(organization, random, today);
    yield* learningEvents(organization, random, today);
    yield* scanEvents(organization, random, today);
  }
}
