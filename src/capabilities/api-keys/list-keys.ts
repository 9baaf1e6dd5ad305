import type { Db } from '../../db/database.ts';
import { isInKeyScope, type KeyScope } from './key-scope.ts';

/** The last key of a page. */
export interface KeyPosition {
  readonly createdAt: string;
  readonly id: string;
}

interface KeyRow {
  id: string;
  /** What people call the owner of a key of an organization. */
  owner_name: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

/** Lists the keys in scope, oldest first, without their values. */
export async function listKeys(
  db: Db,
  limit: number,
  after: KeyPosition | undefined,
  scope: KeyScope = 'installation',
) {
  const rows = await db<KeyRow[]>`
    SELECT k.id, k.kind, k.name, w.slug AS workspace, coalesce(i.slug, oi.slug) AS instance, o.provider,
      o.provider_organization_id AS org_id, CASE WHEN k.kind = 'instance' AND NOT k.every_organization THEN ARRAY(
        SELECT x.provider_organization_id FROM api_key_organizations ko JOIN organizations x ON x.id = ko.organization_id
        WHERE ko.api_key_id = k.id ORDER BY x.provider_organization_id COLLATE "C") END AS org_ids,
      h.provider_organization_id AS home_org_id, coalesce(k.owner_user_id, p.email) AS owner,
      m.username AS owner_name, k.expires_at, k.revoked_at, k.last_used_at, k.created_at
    FROM api_keys k
    LEFT JOIN organizations o ON o.id = k.organization_id
    LEFT JOIN instances oi ON oi.id = o.instance_id
    LEFT JOIN organizations h ON h.id = k.home_organization_id
    LEFT JOIN workspaces w ON w.id = k.workspace_id
    LEFT JOIN instances i ON i.id = k.instance_id
    LEFT JOIN people p ON p.id = k.owner_person_id
    LEFT JOIN members m ON m.organization_id = k.organization_id AND m.provider_user_id = k.owner_user_id
    WHERE ${isInKeyScope(db, scope)} ${after === undefined ? db`` : db`AND (k.created_at, k.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`}
    ORDER BY k.created_at, k.id LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next: KeyPosition | undefined = last && { createdAt: last.created_at.toISOString(), id: last.id };
  return { keys: page, next };
}
