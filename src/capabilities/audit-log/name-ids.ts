import { type OrgScope, organizationIdsOf } from '../../access/org-scope.ts';
import type { Db } from '../../db/database.ts';

const uuidPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The maximum length of a Learning's name, which is the beginning of its text. */
const maxWords = 80;

/** All strings within a value, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

interface NamedParts {
  readonly resourceSummary: string;
  readonly metadata: unknown;
}

/** A summary with names in place of ids. */
export function withNames(summary: string, names: Readonly<Record<string, string>>): string {
  return summary.replaceAll(uuidPattern, (id) => (names[id] === undefined ? id : `“${names[id]}”`));
}

/**
 * The names of the repositories, custom roles and Learnings in scope whose ids occur in entries, by id. Entries never
 * contain the text of a Learning, so a deleted one has no name.
 */
export async function nameIds(
  db: Db,
  scope: OrgScope,
  entries: readonly NamedParts[],
): Promise<Record<string, string>> {
  const texts = entries.flatMap(({ resourceSummary, metadata }) => [resourceSummary, ...textsIn(metadata)]);
  const ids = [...new Set(texts.flatMap((text) => text.match(uuidPattern) ?? []))];
  if (ids.length === 0) return {};
  const rows = await db<{ id: string; name: string }[]>`
    SELECT id, name FROM repositories
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT id, name FROM roles
    WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT id, CASE WHEN length(words) > ${maxWords} THEN left(words, ${maxWords - 1}) || '…' ELSE words END
    FROM (
      SELECT id, regexp_replace(btrim(left(learning, 1000)), '\\s+', ' ', 'g') AS words FROM learnings
      WHERE organization_id = ANY(${organizationIdsOf(scope)}::uuid[]) AND id = ANY(${ids}::uuid[])) AS learning`;
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
