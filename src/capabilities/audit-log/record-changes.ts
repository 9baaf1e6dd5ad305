import type { Actor } from '../../access/actor.ts';
import type { Revocable } from '../../access/caller-context.ts';
import type { Tx } from '../../db/database.ts';
import type { OrganizationId, WorkspaceId } from '../../lib/ids.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AuditAction, AuditResourceType } from './audit-vocabulary.ts';
import { type AuditEntryRow, hashEntry } from './hash-chain.ts';

/** The chain for changes that belong to neither an organization nor a workspace. */
const platformChainId = '00000000-0000-0000-0000-000000000000';

/** One change as the audit log records it. It must never contain a secret or the text of a Learning. */
export interface AuditChange {
  readonly organizationId?: OrganizationId;
  readonly workspaceId?: WorkspaceId;
  readonly action: AuditAction;
  readonly resourceType: AuditResourceType;
  readonly resourceId: string;
  /** Human-readable name of the resource. */
  readonly resourceSummary: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Describes a change to something that an organization knows by its name. */
export function namedChange(
  organizationId: OrganizationId,
  resourceType: 'role' | 'team',
  { id, name }: { readonly id: string; readonly name: string },
  verb: 'created' | 'updated' | 'deleted',
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange {
  return {
    organizationId,
    action: `${resourceType}.${verb}`,
    resourceType,
    resourceId: id,
    resourceSummary: name,
    metadata,
  };
}

/** Who made a change, when, and from where. Actors whose rights cannot be revoked have no `confirmRights`. */
export interface AuditOrigin extends Partial<Revocable> {
  readonly actor: Actor;
  readonly now: Date;
  readonly ipAddress?: string | null;
  readonly requestId?: string | null;
}

function chainIdOf(change: AuditChange): string {
  return change.organizationId ?? change.workspaceId ?? platformChainId;
}

// Locking the chains in id order keeps two transactions from deadlocking.
async function lockChains(tx: Tx, chainIds: readonly string[]) {
  const ids = [...new Set(chainIds)].sort();
  await tx`
    INSERT INTO audit_chains (chain_id, last_position, last_hash)
    SELECT id, 0, ${Buffer.alloc(32)} FROM unnest(${ids}::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`;
  const rows = await tx<{ chain_id: string; last_position: number; last_hash: Buffer }[]>`
    SELECT chain_id, last_position, last_hash FROM audit_chains
    WHERE chain_id = ANY(${ids}::uuid[]) ORDER BY chain_id FOR UPDATE`;
  return new Map(rows.map((row) => [row.chain_id, row]));
}

/**
 * Writes the audit entries for the changes made in this transaction; every change calls this before it commits. The actor's
 * rights are confirmed last, once every lock has been acquired, so a key revoked while the transaction waited for a lock cannot
 * commit a change.
 */
export async function recordChanges(
  tx: Tx,
  origin: AuditOrigin,
  changes: readonly AuditChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const chains = await lockChains(tx, changes.map(chainIdOf));
  const rows = changes.map((change) => {
    const chain = chains.get(chainIdOf(change))!;
    const entry: AuditEntryRow = {
      chain_id: chain.chain_id,
      position: chain.last_position + 1,
      id: newUuid(),
      organization_id: change.organizationId ?? null,
      workspace_id: change.workspaceId ?? null,
      action: change.action,
      resource_type: change.resourceType,
      resource_id: change.resourceId,
      resource_summary: change.resourceSummary,
      actor_type: origin.actor.type,
      actor_id: origin.actor.id,
      actor_name: origin.actor.name,
      actor_subtitle: origin.actor.subtitle,
      actor_is_bot: origin.actor.isBot,
      // Normalized to what the database returns (a Date comes back as text), so that recomputing the hash gives the same result.
      metadata: JSON.parse(JSON.stringify(change.metadata ?? {})),
      ip_address: origin.ipAddress ?? null,
      request_id: origin.requestId ?? null,
      created_at: origin.now,
    };
    const hash = hashEntry(chain.last_hash, entry);
    const row = { ...entry, previous_hash: chain.last_hash.toString('hex'), hash: hash.toString('hex') };
    chain.last_position = entry.position;
    chain.last_hash = hash;
    return row;
  });
  await tx`
    WITH added AS (INSERT INTO audit_entries
    SELECT e.chain_id, e.position, e.id, e.organization_id, e.workspace_id, e.action, e.resource_type, e.resource_id,
      e.resource_summary, e.actor_type, e.actor_id, e.actor_name, e.actor_subtitle, e.actor_is_bot, e.metadata,
      e.ip_address, e.request_id, e.created_at, decode(e.previous_hash, 'hex'), decode(e.hash, 'hex')
    FROM jsonb_to_recordset(${tx.json(rows as never)}) AS e (
      chain_id uuid, position bigint, id uuid, organization_id uuid, workspace_id uuid, action text, resource_type text,
      resource_id text, resource_summary text, actor_type text, actor_id text, actor_name text, actor_subtitle text,
      actor_is_bot boolean, metadata jsonb, ip_address text, request_id text, created_at timestamptz,
      previous_hash text, hash text)
    RETURNING chain_id, action, resource_type)
    INSERT INTO audit_tallies AS t (chain_id, action, resource_type, entries)
    SELECT chain_id, action, resource_type, count(*) FROM added GROUP BY chain_id, action, resource_type
    ON CONFLICT (chain_id, action, resource_type) DO UPDATE SET entries = t.entries + excluded.entries`;
  await tx`
    UPDATE audit_chains c SET last_position = u.position, last_hash = decode(u.hash, 'hex')
    FROM unnest(${[...chains.keys()]}::uuid[], ${[...chains.values()].map(({ last_position }) => last_position)}::bigint[],
      ${[...chains.values()].map(({ last_hash }) => last_hash.toString('hex'))}::text[]) AS u (chain_id, position, hash)
    WHERE c.chain_id = u.chain_id`;
  await origin.confirmRights?.(changes.flatMap(({ organizationId }) => organizationId ?? []));
}
