import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every text within a value, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The names of the repositories and custom roles in scope whose ids occur in the metadata of entries, by id. */
export async function nameIds(
  db: Db,
  scope: OrgScope,
  metadata: readonly unknown[],
): Promise<Record<string, string>> {
  const ids = [...new Set(metadata.flatMap(textsIn))].filter((text) => uuidPattern.test(text));
  if (ids.length === 0) return {};
  const rows = await db<{ id: string; name: string }[]>`
    SELECT id, name FROM repositories
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT id, name FROM roles
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND id = ANY(${ids}::uuid[])`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
