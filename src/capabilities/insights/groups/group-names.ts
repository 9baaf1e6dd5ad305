import type { Db } from '../../../db/database.ts';
import { arrayLiteral } from '../../../db/driver/array-literal.ts';
import { teamsOf } from '../../teams/select-teams.ts';
import type { MetricsPlace } from '../window/select-pull-requests.ts';
import { type Grouping, partsOf } from './group-key.ts';

/** What a group is called, and where it belongs. */
export interface GroupName {
  /** The organization that the group belongs to, if it belongs to one. */
  readonly organization: string | null;
  /** What filters call the group; null for what has no repository, author, team, severity or the like. */
  readonly id: string | null;
  readonly name: string | null;
  /** Of a group by source and severity. */
  readonly severity: string | null;
}

interface Name {
  readonly id: string;
  readonly name: string;
}

async function repositoryNames(db: Db, { organizationIds }: MetricsPlace, keys: readonly string[]) {
  const rows = await db<(Name & { key: string })[]>`
    SELECT r.id AS key, r.provider_repository_id AS id, r.name FROM repositories r
    WHERE r.organization_id = ANY(${organizationIds}::uuid[]) AND r.id = ANY(${arrayLiteral(keys)}::uuid[])`;
  return new Map(rows.map(({ key, ...row }): [string, Name] => [key, row]));
}

/** The names of authors by their ids: as members of an organization, or as their latest pull request has it. */
export async function authorNames(
  db: Db,
  { organizationIds, storageIds }: MetricsPlace,
  ids: readonly string[],
) {
  const rows = await db<Name[]>`
    SELECT DISTINCT ON (k.id) k.id, coalesce(m.username, p.author_username, k.id) AS name
    FROM unnest(${arrayLiteral(ids)}::text[]) AS k (id)
    CROSS JOIN unnest(${organizationIds}::uuid[]) AS o (id)
    LEFT JOIN members m ON m.organization_id = o.id AND m.provider_user_id = k.id
    LEFT JOIN LATERAL (
      SELECT p.author_username FROM review_metrics p
      WHERE p.storage_id IN (${db.unsafe(storageIds)}) AND p.organization_id = o.id AND p.author_id = k.id AND p.write_seq IS NOT NULL
      ORDER BY p.write_seq DESC LIMIT 1) AS p ON m.username IS NULL
    ORDER BY k.id, m.username NULLS LAST, p.author_username NULLS LAST`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Teams by their ids; a group of the identity provider belongs to no single organization. */
export async function teamNames(db: Db, { organizationIds }: MetricsPlace, ids: readonly string[]) {
  const rows = await db<(Name & { organization: string | null })[]>`
    SELECT DISTINCT ON (t.id) t.id, t.name,
      CASE WHEN t.source <> 'identity_provider' THEN t.organization_id END AS organization
    FROM (${teamsOf(db, organizationIds)}) AS t WHERE t.id = ANY(${arrayLiteral(ids)}::uuid[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Names the groups with these keys, in the same order. */
export async function nameGroups(
  db: Db,
  place: MetricsPlace,
  by: Grouping,
  keys: readonly string[],
): Promise<GroupName[]> {
  if (by === 'team') {
    const teams = await teamNames(
      db,
      place,
      keys.filter((key) => key !== ''),
    );
    return keys.map((key) => {
      const { id = null, name = null, organization = null } = teams.get(key) ?? {};
      return { organization, id, name, severity: null };
    });
  }
  if (by === 'repository' || by === 'author') {
    const parts = keys.map((key) => partsOf(key)[1]).filter((part) => part !== '');
    const names = await (by === 'repository' ? repositoryNames : authorNames)(db, place, parts);
    return keys.map((key) => {
      const [organization, part] = partsOf(key);
      const { id = null, name = null } = names.get(part) ?? {};
      return { organization, id, name, severity: null };
    });
  }
  return keys.map((key) => {
    const [severity, rest] = by === 'source_and_severity' ? partsOf(key) : ['', key];
    const id = rest === '' ? null : rest;
    return { organization: null, id, name: id, severity: severity === '' ? null : severity };
  });
}

// Created with the first list, since a server is ready sooner without it.
let collator: Intl.Collator | undefined;

/** The order of names; what has none comes last. */
export function byName(one: GroupName, other: GroupName): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return (
    Number(one.name === null) - Number(other.name === null) ||
    collator.compare(one.name ?? '', other.name ?? '') ||
    collator.compare(
      `${one.organization}/${one.id}/${one.severity}`,
      `${other.organization}/${other.id}/${other.severity}`,
    )
  );
}
