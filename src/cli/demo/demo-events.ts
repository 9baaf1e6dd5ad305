import { pullRequestData } from '../../capabilities/connections/reading/pull-request-event.ts';
import { seededRandom } from '../../lib/seeded-random.ts';
import { demoHost, demoPeople, demoRepositories, organizationId } from './company.ts';
import { eventOf } from './history/history-rows.ts';
import type { PastPull } from './history/make-history.ts';
import type { Recording, Row } from './recording.ts';

const dayMs = 86_400_000;

/** The events that other systems report to the demo's server, as CloudEvents. */
export interface DemoEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly time: string;
  readonly data: Record<string, unknown>;
}

const tenant = { provider: 'gitea', org_id: organizationId, instance: demoHost.instance };
const eventTenant = { provider: 'gitea', orgId: organizationId, instance: demoHost.instance };

function event(type: string, name: string, time: Date, data: Record<string, unknown>): DemoEvent {
  return {
    specversion: '1.0',
    id: `${type}/${name}`,
    source: '/demo',
    type: `postil.${type}`,
    time: time.toISOString(),
    data: { ...tenant, ...data },
  };
}

/** The pull requests with code, with their findings and outcomes. */
function* storyPulls({ pulls, tables }: Recording, repositoryIds: Readonly<Record<string, string>>) {
  for (const { repository, pull } of pulls) {
    const isOfIt = (row: Row) =>
      row.repository_id === repositoryIds[repository] && row.pull_request === pull.number;
    const findings = tables.review_findings.filter((row) => isOfIt(row) && row.comment_id !== null);
    const run = tables.review_runs.findLast(isOfIt);
    const own = {
      estimatedComplexity: (run?.estimated_complexity ?? null) as number | null,
      estimatedReviewMinutes: (run?.estimated_review_minutes ?? null) as number | null,
      findings: [],
    };
    yield event('pull_request', `${repository}-${pull.number}`, pull.updatedAt, {
      ...pullRequestData({ tenant: eventTenant, providerRepositoryId: repository, pull, own }),
      findings: findings.map(({ finding_id, url, severity, category, accepted }) => ({
        finding_id,
        url,
        severity,
        category,
        accepted,
      })),
    });
  }
}

/** The uses of Learnings. */
function* learningUses({ tables: { learnings } }: Recording, end: Date) {
  const random = seededRandom(23);
  for (const { id, created_at } of learnings) {
    const age = end.getTime() - Date.parse(String(created_at));
    // One in five is stale.
    const newest = random.chance(0.2) ? 0.45 : 1;
    for (let use = Math.floor(random.next() * Math.min(14, age / (8 * dayMs))); use > 0; use -= 1) {
      const time = new Date(end.getTime() - age + random.next() * newest * age);
      yield event('learning_used', `${id}/${use}`, time, { learning_id: id });
    }
  }
}

interface Weakness {
  readonly rule_id: string;
  readonly title: string;
  readonly description: string;
  readonly severity: string;
  readonly cwe: string;
  readonly place: readonly [repository: string, path: string, line: number];
  /** Whether later scans no longer find it. */
  readonly isFixed?: true;
}

const weaknesses: readonly Weakness[] = [
  {
    rule_id: 'weak-hash',
    title: 'A broken hash tells statements apart',
    description: 'MD5 can be made to collide.',
    severity: 'medium',
    cwe: 'CWE-327',
    place: ['ledger', 'ledger/statements.py', 15],
  },
  {
    rule_id: 'unbounded-read',
    title: 'A whole file is read into memory',
    description: 'The size of the import is not limited.',
    severity: 'low',
    cwe: 'CWE-400',
    place: ['ledger', 'ledger/import_orders.py', 11],
  },
  {
    rule_id: 'verbose-error',
    title: 'Internal details in an error',
    description: 'The name of the order reaches the caller.',
    severity: 'low',
    cwe: 'CWE-209',
    place: ['storefront', 'src/orders/invoice.ts', 6],
  },
  {
    rule_id: 'hardcoded-key',
    title: 'A key in the source',
    description: 'A key of the payment provider stood in the client.',
    severity: 'critical',
    cwe: 'CWE-798',
    place: ['storefront', 'src/checkout/client.ts', 11],
    isFixed: true,
  },
  {
    rule_id: 'missing-timeout',
    title: 'A call without a timeout',
    description: 'A provider that hangs holds the checkout.',
    severity: 'medium',
    cwe: 'CWE-400',
    place: ['storefront', 'src/checkout/client.ts', 8],
  },
  {
    rule_id: 'plain-http',
    title: 'Traffic inside of the cluster is not encrypted',
    description: 'The services behind are called by http.',
    severity: 'low',
    cwe: 'CWE-319',
    place: ['gateway', 'cmd/gateway/main.go', 11],
  },
  {
    rule_id: 'path-prefix',
    title: 'A prefix decides who serves a path',
    description: 'A path such as /orders-old reaches the orders.',
    severity: 'medium',
    cwe: 'CWE-863',
    place: ['gateway', 'internal/proxy/proxy.go', 31],
  },
  {
    rule_id: 'public-bucket',
    title: 'A bucket that everybody can read',
    description: 'Invoices were reachable without signing in.',
    severity: 'high',
    cwe: 'CWE-732',
    place: ['infrastructure', 'modules/storage/main.tf', 12],
    isFixed: true,
  },
];

/** Two scans of each repository: the second one no longer finds what was fixed. */
function* scans(end: Date) {
  const byRepository = Map.groupBy(weaknesses, ({ place }) => place[0]);
  for (const [name, found] of byRepository)
    for (const [index, daysAgo] of [96, 6].entries()) {
      const { id } = demoRepositories.find((repository) => repository.name === name)!;
      yield event('security_scan', `${id}-${index}`, new Date(end.getTime() - daysAgo * dayMs), {
        repository_id: id,
        scan_id: `scan-${id}-${index}`,
        revision: `${id}${index}`.padStart(40, 'a'),
        coverage_scope: 'repository',
        findings: found
          .filter(({ isFixed }) => index === 0 || !isFixed)
          .map(({ place: [, file_path, line], isFixed: _, ...weakness }) => ({
            ...weakness,
            file_path,
            start_line: line,
            end_line: line,
            fingerprint: `${weakness.rule_id}-${file_path}`,
          })),
      });
    }
}

/** The tools that the model called during reviews. */
function* toolUses(pulls: readonly PastPull[]) {
  const random = seededRandom(31);
  for (const { url, endedAt, costUsd, state } of pulls) {
    if (state !== 'merged' || costUsd === 0 || !random.chance(0.3)) continue;
    const tools = [{ name: 'search', calls: 1 + random.below(6), failures: random.below(2) }];
    yield event('mcp_usage', url, endedAt, {
      pr_url: url,
      servers: [{ name: random.pick(['jira', 'sentry']), tools }],
    });
  }
}

/** All events, those of the oldest pull requests first. */
export function demoEvents(
  pulls: readonly PastPull[],
  recording: Recording,
  repositoryIds: Readonly<Record<string, string>>,
  end: Date,
): DemoEvent[] {
  return [
    ...pulls.map((pull) => {
      const { time, data } = eventOf(pull);
      return event('pull_request', `${pull.repository.id}-${pull.number}`, time, data);
    }),
    ...storyPulls(recording, repositoryIds),
    ...toolUses(pulls),
    ...learningUses(recording, end),
    ...scans(end),
  ];
}

/** The viewer of the demo, as the API names them. */
export const viewerKey = { ...tenant, owner: demoPeople[0]!.id };
