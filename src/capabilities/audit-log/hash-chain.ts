import { createHash } from 'node:crypto';

/** An audit entry as it is stored and hashed. */
export interface AuditEntryRow {
  chain_id: string;
  position: number;
  id: string;
  organization_id: string | null;
  workspace_id: string | null;
  action: string;
  resource_type: string;
  resource_id: string;
  resource_summary: string;
  actor_type: string;
  actor_id: string | null;
  actor_name: string;
  actor_subtitle: string | null;
  actor_is_bot: boolean;
  metadata: unknown;
  ip_address: string | null;
  request_id: string | null;
  created_at: Date;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${fields
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`)
    .join(',')}}`;
}

/** Hashes the whole entry together with the hash of the entry before it. */
export function hashEntry(previousHash: Buffer, entry: AuditEntryRow): Buffer {
  const content = canonicalJson({ ...entry, created_at: entry.created_at.toISOString() });
  return createHash('sha256').update(previousHash).update(content).digest();
}
