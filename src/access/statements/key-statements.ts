import type { KeyKind } from '../api-key-value.ts';
import { memberColumns, organizationColumns } from '../organization-rows.ts';
import type { RateLimit } from '../rate-limit.ts';
import { spendingStatement } from './rate-limit-statement.ts';

// A key's value contains its kind, so each kind reads only the tables that it needs. The texts of statements are created only
// once, because composing one from fragments takes as long as running it.
const keyColumns = 'k.id, k.kind, k.name, k.expires_at, k.owner_user_id';
const isValid = `k.value_hash = asked.hash AND k.kind = $4 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)`;

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

// Joins the owner's account in the first authorized organization, preferably the home organization. There is no row once the
// owner has left all of them.
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

function keyOf(kind: KeyKind): string {
  if (kind === 'workspace') return workspaceKey;
  return kind === 'instance' ? instanceKey : boundKey;
}

/** The SQL expression for the subject charged for a request: the key itself, or its organization, workspace or instance. */
function subjectOf(kind: KeyKind, per: RateLimit['per']): string {
  if (per === 'key') return `'key:' || id`;
  if (kind === 'workspace') return `'workspace:' || key_workspace_id`;
  return kind === 'instance' ? `'instance:' || key_instance_id` : `'organization:' || organization_id`;
}

// LATERAL and LIMIT make the planner use a few index look-ups per key, whatever number of keys it estimates. The sub-selects hide
// the number of keys from the planner: if it knew, it would plan anew each time, which takes three times as long as running the
// plan.
function findStatement(kind: KeyKind): string {
  return `
    SELECT asked.place::int, asked.requests, found.*
    FROM unnest((SELECT $1::bytea[]), (SELECT $2::int[])) WITH ORDINALITY AS asked (hash, requests, place),
      LATERAL (${keyOf(kind)} LIMIT 1) AS found`;
}

function chargeStatement(kind: KeyKind, per: RateLimit['per']): string {
  const subject = subjectOf(kind, per);
  const subjects = `SELECT ${subject} AS subject, sum(requests)::int AS asked FROM key GROUP BY 1 ORDER BY 1`;
  return `
    WITH key AS MATERIALIZED (${findStatement(kind)}), spent AS (${spendingStatement(subjects, 5)})
    SELECT * FROM key JOIN spent ON spent.subject = ${subject}`;
}

const statements = new Map<string, string>();

/**
 * The text of a statement that finds the valid keys of a kind: not revoked, not expired, and owned by an active member. Nothing
 * is cached, so revoking a key or demoting its owner takes effect immediately on every node.
 *
 * With `per`, the statement also charges them, since every request needs both. The parameters are the hashes of the values, the
 * number of requests with each, the time, the kind, and those of the charge. `place` is a key's position among the hashes, from
 * 1.
 */
export function keyStatement(kind: KeyKind, per?: RateLimit['per']): string {
  const name = `${kind} ${per}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const text = per === undefined ? findStatement(kind) : chargeStatement(kind, per);
  statements.set(name, text);
  return text;
}
