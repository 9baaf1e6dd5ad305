import type { Sql } from '../../src/db/database.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';

export const organizationCount = 200;
export const repositoriesPerOrganization = 10;
export const firstDate = '2024-01-01';
export const spanDays = 900;

/** How large the data set is. */
export interface Sizes {
  /** Pull requests in all 200 organizations, very unevenly distributed. */
  readonly shared: number;
  /** Pull requests in the smaller organization of the growth comparison, which is one of the 200. */
  readonly small: number;
  /** Pull requests in the larger organization of the growth comparison. */
  readonly large: number;
  /** Events that are sent over HTTP. */
  readonly events: number;
}

export const defaultSizes: Sizes = { shared: 200_000, small: 20_000, large: 400_000, events: 60_000 };
export const quickSizes: Sizes = { shared: 20_000, small: 5_000, large: 50_000, events: 10_000 };
export const fullSizes: Sizes = { shared: 2_000_000, small: 100_000, large: 9_000_000, events: 300_000 };

const admin = { user_id: '1', username: 'admin', email: 'admin@bench.test', role: 'cr_admin' };
export const smallOrganization = 'small';
export const largeOrganization = 'large';
/** Organizations that only receive events, so that these do not affect the data that is read. */
export const ingestOrganization = (serial: number) => `ingest-${serial}`;
export const ingestOrganizations = 50;

function organization(id: string) {
  return {
    provider: 'github',
    provider_organization_id: id,
    name: id,
    workspace: 'bench',
    plan: 'enterprise',
    subscription: 'active',
    seats_purchased: 1,
    members: [admin],
    repositories: Array.from({ length: repositoriesPerOrganization }, (_, index) => ({
      provider_repository_id: String(index),
      name: `repository-${index}`,
    })),
  };
}

/** The platform document of the benchmark: one workspace with everything in it. */
export function platformDocument() {
  const ids = [
    smallOrganization,
    largeOrganization,
    ...Array.from({ length: organizationCount - 1 }, (_, index) => `shared-${index}`),
    ...Array.from({ length: ingestOrganizations }, (_, index) => ingestOrganization(index)),
  ];
  return {
    workspaces: [{ slug: 'bench', name: 'Bench', admins: [admin.email] }],
    organizations: ids.map(organization),
  };
}

/** How many pull requests each organization gets: the n-th largest about 1/n of the largest. */
export function sharesOf({ shared, small, large }: Sizes): [string, number][] {
  const weights = Array.from({ length: organizationCount - 1 }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((a, b) => a + b);
  return [
    [smallOrganization, small],
    ...weights.map((weight, index): [string, number] => [
      `shared-${index}`,
      Math.max(1, Math.round(((shared - small) * weight) / sum)),
    ]),
    [largeOrganization, large],
  ];
}

/** The organizations that are not measured against the peers: the largest, and those that receive events. */
export async function organizationsWithoutPeers(sql: Sql): Promise<OrganizationId[]> {
  const rows = await sql<{ id: OrganizationId }[]>`
    SELECT id FROM organizations WHERE name = ${largeOrganization} OR name LIKE 'ingest-%'`;
  return rows.map(({ id }) => id);
}

const rowsPerStatement = 20_000;

/** The internal id of an organization. */
export async function organizationIdOf(sql: Sql, id: string): Promise<OrganizationId> {
  const [row] = await sql<
    { id: OrganizationId }[]
  >`SELECT id FROM organizations WHERE provider_organization_id = ${id}`;
  return row!.id;
}

/** A range of an organization's pull requests, of which there are `count` in total. */
interface Part {
  readonly id: string;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

function partsOf([id, count]: [string, number]): Part[] {
  return Array.from({ length: Math.ceil(count / rowsPerStatement) }, (_, index) => {
    const first = 1 + index * rowsPerStatement;
    return { id, count, first, last: Math.min(count, first + rowsPerStatement - 1) };
  });
}

/** Creates the rows that intake would create, but inside the database: most are merged in write order, some are backfilled. */
export async function fillOrganizations(
  sql: Sql,
  shares: readonly [string, number][],
  onRows: (written: number, total: number) => void = () => {},
): Promise<void> {
  const total = shares.reduce((sum, [, rows]) => sum + rows, 0);
  let written = 0;
  const parts = shares.flatMap(partsOf).values();
  async function fill(): Promise<void> {
    for (const part of parts) {
      await fillPart(sql, part);
      written += part.last - part.first + 1;
      onRows(written, total);
    }
  }
  await Promise.all([fill(), fill()]);
}

async function fillPart(sql: Sql, { id, count, first, last }: Part): Promise<void> {
  const organizationId = await organizationIdOf(sql, id);
  await sql`
      WITH made AS (
        SELECT i, r.id AS repository_id, (i % 300 * 7919) % 300 AS author, nextval('write_positions') AS seq,
          1 + (i * 31) % 10 AS findings,
          (${firstDate}::date + CASE WHEN i % 50 = 0 THEN (i * 13) % ${spanDays}
            ELSE (${spanDays - 20}::bigint * i / ${count})::int + (i * 17) % 20 END)::date AS merged,
          format('https://github.test/%s/repository-%s/pull/%s', ${id}::text, i % ${repositoriesPerOrganization}, i) AS url
        FROM generate_series(${first}::int, ${last}::int) AS i
        JOIN repositories r ON r.organization_id = ${organizationId}
          AND r.provider_repository_id = (i % ${repositoriesPerOrganization})::text),
      known AS (
        INSERT INTO pull_requests (organization_id, repository_id, number, url, state, event_time)
        SELECT ${organizationId}, repository_id, i, url, 'merged', merged FROM made)
      INSERT INTO review_metrics (organization_id, repository_id, number, storage_id, author_id, author_username,
        created_at, merged_at, findings_time, finding_facts, entry, comment_counts, entry_head,
        slot_1, slot_4, slot_16, slot_64, slot_256, write_seq)
      SELECT ${organizationId}, repository_id, i, 0, author::text, 'user-' || author, merged, merged, merged,
        json_build_object('listed', (SELECT json_agg(json_build_array('f' || n, NULL)) FROM generate_series(1, findings) n))::text,
        head || '"coderabbit_comments":' || comments || '}',
        format('[%s,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]', findings),
        head,
        d * 4, d / 4 * 4, d / 16 * 4, d / 64 * 4, d / 256 * 4, seq
      FROM made, LATERAL (SELECT merged - date '0001-01-01' AS d,
        format('{"pr_url":"%s","organization_id":"%s","repository_id":"%s","author_id":"%s","merged_at":"%sT00:00:00.000Z",',
          url, ${id}::text, i % ${repositoriesPerOrganization}, author, merged) AS head,
        (SELECT '[' || string_agg(format(
            '{"url":"%s#discussion_r%s","severity":"%s","category":"%s","accepted":%s}', url, 1000000 + n,
            (ARRAY['critical', 'major', 'minor', 'trivial', 'info'])[1 + (i + n) % 5],
            (ARRAY['functional_correctness', 'security_and_privacy', 'performance_and_scalability'])[1 + (i + n) % 3],
            (ARRAY['true', 'false', 'null'])[1 + (i * n) % 3]), ',') || ']' FROM generate_series(1, findings) n) AS comments) AS made_of`;
}

/** The same events on every call: one line each, of about 1.6 KB with five findings on average. */
export function eventLine(serial: number): string {
  const org_id = ingestOrganization(serial % ingestOrganizations);
  const repository = serial % repositoriesPerOrganization;
  const url = `https://github.test/${org_id}/repository-${repository}/pull/${serial + 1}`;
  const time = new Date(Date.parse(firstDate) + ((serial * 7919) % spanDays) * 86_400_000).toISOString();
  const findings = Array.from({ length: 1 + ((serial * 31) % 10) }, (_, index) => ({
    finding_id: `f${index}`,
    url: `${url}#discussion_r${1_000_000 + index}`,
    severity: ['critical', 'major', 'minor', 'trivial', 'info'][(serial + index) % 5],
    category: ['functional_correctness', 'security_and_privacy', 'performance_and_scalability'][
      (serial + index) % 3
    ],
    ...((serial + index) % 3 !== 0 && { accepted: (serial + index) % 3 === 1 }),
  }));
  return `${JSON.stringify({
    specversion: '1.0',
    id: `bench-${serial}`,
    source: 'bench',
    type: 'postil.pull_request',
    time,
    data: {
      provider: 'github',
      org_id,
      repository_id: String(repository),
      number: serial + 1,
      url,
      state: 'merged',
      author_id: String(serial % 300),
      author_username: `user-${serial % 300}`,
      created_at: time,
      ready_for_review_at: time,
      first_human_review_at: time,
      last_commit_at: time,
      merged_at: time,
      review_iterations: 2,
      estimated_complexity: 3,
      estimated_review_minutes: 15,
      findings,
    },
  })}\n`;
}
