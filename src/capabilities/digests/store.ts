import type { Db, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import type { OrganizationId } from '../../lib/ids.ts';
import type { SecretId } from '../../secrets/vault.ts';
import type { ChatKind, Digest, DigestKey } from './digest-record.ts';

type DigestRow = Omit<Digest, 'chat'> & {
  readonly chatKind: ChatKind | null;
  readonly chatHost: string | null;
  readonly chatSecretId: SecretId | null;
};

export function digestColumns(db: Db) {
  return db`d.organization_id AS "organizationId", d.id AS "digestId", d.team_id AS "teamId", d.weekday, d.hour, d.recipients,
    d.chat_kind AS "chatKind", d.chat_host AS "chatHost", d.chat_secret_id AS "chatSecretId", d.active AS "isActive",
    d.next_due_at AS "nextDueAt", d.created_at AS "createdAt"`;
}

export function digestOf({ chatKind, chatHost, chatSecretId, ...row }: DigestRow): Digest {
  const chat = chatKind && { kind: chatKind, host: chatHost!, secretId: chatSecretId! };
  return { ...row, chat };
}

/** The digests of an organization: its own first, then those of teams in the order in which they were made. */
export async function findDigests(db: Db, organizationId: OrganizationId): Promise<Digest[]> {
  const rows = await db<DigestRow[]>`
    SELECT ${digestColumns(db)} FROM digests d WHERE d.organization_id = ${organizationId}
    ORDER BY d.team_id IS NOT NULL, d.created_at, d.id`;
  return rows.map(digestOf);
}

export async function findDigest(
  db: Db,
  { organizationId, digestId }: DigestKey,
): Promise<Digest | undefined> {
  const [row] = await db<DigestRow[]>`
    SELECT ${digestColumns(db)} FROM digests d WHERE d.organization_id = ${organizationId} AND d.id = ${digestId}`;
  return row && digestOf(row);
}

/** One digest, locked until the transaction ends; throws NOT_FOUND. */
export async function lockDigest(tx: Tx, { organizationId, digestId }: DigestKey): Promise<Digest> {
  const [row] = await tx<DigestRow[]>`
    SELECT ${digestColumns(tx)} FROM digests d WHERE d.organization_id = ${organizationId} AND d.id = ${digestId}
    FOR NO KEY UPDATE`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'There is no such digest');
  return digestOf(row);
}

/** The longest overdue digest that no other node has locked; only of organizations that may use digests now. */
export async function lockDueDigest(tx: Tx, now: Date): Promise<Digest | undefined> {
  const [row] = await tx<DigestRow[]>`
    SELECT ${digestColumns(tx)} FROM digests d JOIN organizations o ON o.id = d.organization_id
    WHERE d.active AND d.next_due_at <= ${now} AND o.active AND o.plan = 'enterprise' AND o.subscription = 'active'
      AND o.metrics = 'available'
    ORDER BY d.next_due_at, d.organization_id, d.id LIMIT 1 FOR NO KEY UPDATE OF d SKIP LOCKED`;
  return row && digestOf(row);
}

/** The digests of all organizations that became due and were not issued. */
export async function findOverdueDigests(tx: Tx, now: Date): Promise<Digest[]> {
  const rows = await tx<DigestRow[]>`
    SELECT ${digestColumns(tx)} FROM digests d WHERE d.active AND d.next_due_at <= ${now}
    ORDER BY d.organization_id, d.id FOR NO KEY UPDATE`;
  return rows.map(digestOf);
}

export async function insertDigest(tx: Tx, digest: Digest): Promise<void> {
  const { chat } = digest;
  await tx`
    INSERT INTO digests (organization_id, id, team_id, weekday, hour, recipients, chat_kind, chat_secret_id, chat_host, active,
      next_due_at, created_at)
    VALUES (${digest.organizationId}, ${digest.digestId}, ${digest.teamId}, ${digest.weekday}, ${digest.hour},
      ${[...digest.recipients]}::text[], ${chat?.kind ?? null}, ${chat?.secretId ?? null}, ${chat?.host ?? null},
      ${digest.isActive}, ${digest.nextDueAt}, ${digest.createdAt})`;
}

export async function updateDigest(tx: Tx, digest: Digest): Promise<void> {
  const { chat } = digest;
  await tx`
    UPDATE digests SET weekday = ${digest.weekday}, hour = ${digest.hour}, recipients = ${[...digest.recipients]}::text[],
      chat_kind = ${chat?.kind ?? null}, chat_secret_id = ${chat?.secretId ?? null}, chat_host = ${chat?.host ?? null},
      active = ${digest.isActive}, next_due_at = ${digest.nextDueAt}
    WHERE organization_id = ${digest.organizationId} AND id = ${digest.digestId}`;
}

export async function putOff(db: Db, { organizationId, digestId }: DigestKey, until: Date): Promise<void> {
  await db`
    UPDATE digests SET next_due_at = ${until} WHERE organization_id = ${organizationId} AND id = ${digestId}`;
}

export async function deleteDigest(tx: Tx, { organizationId, digestId }: DigestKey): Promise<void> {
  await tx`DELETE FROM digests WHERE organization_id = ${organizationId} AND id = ${digestId}`;
}
