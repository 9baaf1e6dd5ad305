import type { Db } from '../../db/database.ts';

/** Exports the whole platform as the document that would recreate it, without secrets. */
export async function exportPlatform(db: Db) {
  const [workspaces, instances, organizations] = await Promise.all([
    db`
      SELECT w.slug, w.name, CASE WHEN NOT w.active THEN false END AS active, ARRAY(
        SELECT p.email FROM workspace_admins a JOIN people p ON p.id = a.person_id
        WHERE a.workspace_id = w.id AND NOT a.by_group ORDER BY p.email COLLATE "C") AS admins
      FROM workspaces w ORDER BY w.slug COLLATE "C"`,
    db`SELECT slug, provider, url FROM instances ORDER BY slug COLLATE "C"`,
    db`
      SELECT o.provider, o.provider_organization_id, i.slug AS instance, w.slug AS workspace, o.name, o.active, o.plan, o.subscription,
        o.seats_purchased, o.seat_assignment_mode, o.metrics, o.metrics_isolated, o.approval_delay_days,
        coalesce((SELECT jsonb_agg(jsonb_build_object('provider_repository_id', r.provider_repository_id, 'name', r.name,
            'active', r.active, 'private', r.private, 'approval_delay_days', r.approval_delay_days, 'readers',
            CASE WHEN r.readers_restricted THEN to_jsonb(ARRAY(SELECT x.provider_user_id FROM repository_readers x
              WHERE x.organization_id = r.organization_id AND x.repository_id = r.id ORDER BY 1)) ELSE '"members"'::jsonb END)
            ORDER BY r.provider_repository_id COLLATE "C")
          FROM repositories r WHERE r.organization_id = o.id), '[]') AS repositories,
        coalesce((SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('user_id', m.provider_user_id, 'username', m.username,
            'email', p.email, 'role', coalesce(m.role, m.custom_role_id::text), 'seat', m.seat, 'bot', m.bot, 'active', m.active))
            ORDER BY m.provider_user_id COLLATE "C")
          FROM members m LEFT JOIN people p ON p.id = m.person_id WHERE m.organization_id = o.id), '[]') AS members
      FROM organizations o LEFT JOIN instances i ON i.id = o.instance_id LEFT JOIN workspaces w ON w.id = o.workspace_id
      ORDER BY i.slug COLLATE "C" NULLS FIRST, o.provider, o.provider_organization_id COLLATE "C"`,
  ]);
  const withoutNulls = (row: object) =>
    Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
  return {
    workspaces: workspaces.map(withoutNulls),
    instances,
    organizations: organizations.map(withoutNulls),
  };
}
