import type { KeyKind } from '../api-key-value.ts';
import { memberColumns, organizationColumns } from '../organization-rows.ts';
import type { RateLimit } from '../rate-limit.ts';
import { spendingStatement } from './spend-limit.ts';

// The value of a key tells its kind, so that each kind reads only the tables that matter to it. The parameters are the hash of the
// value, the time, and the kind. Texts are made once: composing one from fragments takes as long as running it.
const keyColumns = 'k.id, k.kind, k.name, k.expires_at, k.owner_user_id';
const isValid = `k.value_hash = $1 AND k.kind = $3 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)`;

const boundKey = `
  SELECT ${keyColumns}, coalesce(m.person_id, k.owner_person_id) AS person_id, p.email, m.username, m.bot, ${organizationColumns}, ${memberColumns}
  FROM api_keys k
  JOIN organizations o ON o.id = k.organization_id
  LEFT JOIN members m ON m.organization_id = k.organization_id AND m.provider_user_id = k.owner_user_id
  LEFT JOIN roles r ON r.organization_id = m.organization_id AND r.id = m.custom_role_id
  LEFT JOIN people p ON p.id = coalesce(m.person_id, k.owner_person_id)
  LEFT JOIN workspaces w ON w.id = o.workspace_id
  WHERE ${isValid} AND o.active AND w.active IS NOT FALSE AND (k.kind = 'legacy' OR m.active)`;

const workspaceKey = `
  SELECT ${keyColumns}, p.id AS person_id, p.email, w.id AS key_workspace_id, w.slug AS workspace_slug, w.name AS workspace_name,
    EXISTS (SELECT 1 FROM workspace_admins a
            WHERE a.workspace_id = k.workspace_id AND a.person_id = k.owner_person_id) AS owner_is_workspace_admin
  FROM api_keys k
  JOIN workspaces w ON w.id = k.workspace_id
  JOIN people p ON p.id = k.owner_person_id
  WHERE ${isValid} AND w.active`;

// The owner's account in the first authorized organization, the home organization if possible; none once the owner has left all of them.
const instanceKey = `
  SELECT ${keyColumns}, k.every_organization, k.home_organization_id, account.person_id, account.username, account.bot,
    i.id AS key_instance_id, i.slug AS instance_slug
  FROM api_keys k
  JOIN instances i ON i.id = k.instance_id
  JOIN LATERAL (
    SELECT im.username, im.bot, im.person_id
    FROM organizations io JOIN members im ON im.organization_id = io.id LEFT JOIN workspaces iw ON iw.id = io.workspace_id
    WHERE io.instance_id = k.instance_id AND io.active AND iw.active IS NOT FALSE
      AND im.provider_user_id = k.owner_user_id AND im.active
      AND (k.every_organization OR EXISTS (SELECT 1 FROM api_key_organizations ko
           WHERE ko.api_key_id = k.id AND ko.organization_id = io.id))
    ORDER BY io.id = k.home_organization_id DESC NULLS LAST, io.id LIMIT 1) AS account ON true
  WHERE ${isValid}`;

/**
 * The text of a statement that finds a valid key: not revoked, not expired, and owned by somebody who has not left. Nothing is
 * cached, so revoking a key or demoting its owner takes effect immediately on every node.
 */
export function keyStatement(kind: KeyKind): string {
  if (kind === 'workspace') return workspaceKey;
  return kind === 'instance' ? instanceKey : boundKey;
}

/** Who is charged for requests with a key: the key itself, or its organization, workspace or instance. */
function subjectOf(kind: KeyKind, per: RateLimit['per']): string {
  if (per === 'single_key') return `'key:' || id`;
  if (kind === 'workspace') return `'workspace:' || key_workspace_id`;
  return kind === 'instance' ? `'instance:' || key_instance_id` : `'organization:' || organization_id`;
}

const chargingStatements = new Map<string, string>();

/** The same with the charge in one statement, since every request needs both. The parameters of the charge follow those of the key. */
export function chargingKeyStatement(kind: KeyKind, per: RateLimit['per']): string {
  const name = `${kind}/${per}`;
  const known = chargingStatements.get(name);
  if (known !== undefined) return known;
  const text = `
    WITH key AS MATERIALIZED (${keyStatement(kind)}),
      spent AS (${spendingStatement(`SELECT ${subjectOf(kind, per)} AS subject FROM key`, 4)})
    SELECT * FROM key JOIN spent ON true`;
  chargingStatements.set(name, text);
  return text;
}
