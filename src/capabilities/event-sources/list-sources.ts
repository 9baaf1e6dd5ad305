import type { Db, Fragment } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { cutPage } from '../../lib/wire/one-page.ts';

/** Where a page of sources ends. */
export interface SourcePosition {
  readonly createdAt: string;
  readonly id: string;
}

interface SourceRow {
  id: string;
  name: string;
  organizations: { provider: string; org_id: string; instance: string | null }[];
  types: string[];
  created_at: Date;
  last_used_at: Date | null;
}

function selectSources(db: Db, where: Fragment): Fragment {
  return db`
    SELECT s.id, s.name, (
        SELECT jsonb_agg(jsonb_build_object('provider', o.provider, 'org_id', o.provider_organization_id, 'instance', i.slug)
          ORDER BY o.provider COLLATE "C", o.provider_organization_id COLLATE "C", i.slug COLLATE "C")
        FROM event_source_organizations so JOIN organizations o ON o.id = so.organization_id
        LEFT JOIN instances i ON i.id = o.instance_id WHERE so.event_source_id = s.id) AS organizations,
      s.types, s.created_at, s.last_used_at
    FROM event_sources s ${where}`;
}

function present({ created_at, last_used_at, ...row }: SourceRow) {
  return {
    ...row,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

/** Sources without their values, newest first. */
export async function listSources(
  db: Db,
  { after, limit }: { after: SourcePosition | undefined; limit: number },
) {
  const behind =
    after === undefined
      ? db``
      : db`WHERE (s.created_at, s.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const found = await db<SourceRow[]>`
    ${selectSources(db, behind)} ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit + 1}`;
  const { rows, next } = cutPage(found, limit, ({ id, created_at }) => ({
    id,
    createdAt: created_at.toISOString(),
  }));
  return { sources: rows.map(present), next };
}

/** One source, without its value. */
export async function readSource(db: Db, id: string) {
  const [row] = await db<SourceRow[]>`${selectSources(db, db`WHERE s.id = ${id}`)}`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'No such event source');
  return present(row);
}
