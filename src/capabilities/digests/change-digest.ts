import type { CallerContext } from '../../access/caller-context.ts';
import { onlyOrganization } from '../../access/org-scope.ts';
import type { Database, Tx } from '../../db/database.ts';
import { AppError } from '../../lib/app-error.ts';
import { newUuid } from '../../lib/uuid.ts';
import type { AddressGuard } from '../../outbound/address-guard.ts';
import { isRefused } from '../../outbound/is-refused.ts';
import type { Vault } from '../../secrets/vault.ts';
import { recordChanges } from '../audit-log/record-changes.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { readTeam } from '../teams/list-teams.ts';
import { chatPurpose, type Digest, digestChangeEntry } from './digest-record.ts';
import { nextDue } from './period.ts';
import type { DigestChange, DigestRequest } from './schemas.ts';
import { deleteDigest, findDigests, insertDigest, lockDigest, updateDigest } from './store.ts';

export interface DigestDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** Decides which addresses chats may have. */
  readonly customerAddresses: AddressGuard;
}

const maxDigests = 100;

type Chat = NonNullable<DigestRequest['chat']>;

async function checkChat({ customerAddresses }: DigestDeps, chat: Chat | null | undefined): Promise<void> {
  if (chat?.url !== undefined && (await isRefused(new URL(chat.url), customerAddresses)))
    throw new AppError(
      'INVALID_REQUEST',
      'chat.url: is an internal address, which the operator has not allowed for webhooks',
    );
}

/** The stored form of a chat, with its URL sealed. Without a URL, the stored one is kept. */
async function storeChat(
  tx: Tx,
  vault: Vault,
  chat: Chat | null,
  known: Digest['chat'],
): Promise<Digest['chat']> {
  if (chat === null) return null;
  if (chat.url !== undefined) {
    const secretId = await vault.store(tx, chatPurpose, chat.url);
    return { kind: chat.kind, host: new URL(chat.url).host, secretId };
  }
  if (known === null) throw new AppError('INVALID_REQUEST', 'chat.url: is required');
  return { ...known, kind: chat.kind };
}

const auditedChat = (chat: Digest['chat']) => chat && { kind: chat.kind, host: chat.host };

/** Creates a digest; it is first issued when it is next due. */
export async function createDigest(
  deps: DigestDeps,
  context: CallerContext,
  request: DigestRequest,
): Promise<{ id: string }> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  if (request.team_id !== null) await readTeam(deps.database.sql, context, request.team_id);
  await checkChat(deps, request.chat);
  return deps.database.transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const known = await findDigests(tx, organizationId);
    if (known.some(({ teamId }) => teamId === request.team_id))
      throw new AppError('CONFLICT', 'team_id: there is such a digest already');
    if (known.length >= maxDigests)
      throw new AppError('CONFLICT', `An organization can have at most ${maxDigests} digests`);
    const { weekday, hour, recipients } = request;
    const digest: Digest = {
      organizationId,
      digestId: newUuid(),
      teamId: request.team_id,
      weekday,
      hour,
      recipients,
      chat: await storeChat(tx, deps.vault, request.chat, null),
      isActive: request.active,
      nextDueAt: nextDue(request, context.now),
      createdAt: context.now,
    };
    await insertDigest(tx, digest);
    const metadata = { weekday, hour, recipients, chat: auditedChat(digest.chat), active: request.active };
    await recordChanges(tx, context, [digestChangeEntry('created', digest, metadata)]);
    return { id: digest.digestId };
  });
}

/** The changed values for the audit log, with added and removed addresses. */
function auditedChange(before: Digest, after: Digest, change: DigestChange) {
  const added = after.recipients.filter((email) => !before.recipients.includes(email));
  const removed = before.recipients.filter((email) => !after.recipients.includes(email));
  const { weekday, hour, active } = change;
  return {
    ...(weekday !== undefined && { weekday }),
    ...(hour !== undefined && { hour }),
    ...(active !== undefined && { active }),
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
    ...(change.chat !== undefined && { chat: auditedChat(after.chat) }),
  };
}

/** Changes a digest. A new day or hour applies from the next time on: a week that was already sent is not sent again. */
export async function changeDigest(
  deps: DigestDeps,
  context: CallerContext,
  digestId: string,
  change: DigestChange,
): Promise<void> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  await checkChat(deps, change.chat);
  await deps.database.transaction(async (tx) => {
    const known = await lockDigest(tx, { organizationId, digestId });
    const schedule = { weekday: change.weekday ?? known.weekday, hour: change.hour ?? known.hour };
    const isActive = change.active ?? known.isActive;
    const isMoved =
      schedule.weekday !== known.weekday || schedule.hour !== known.hour || (isActive && !known.isActive);
    const chat =
      change.chat === undefined ? known.chat : await storeChat(tx, deps.vault, change.chat, known.chat);
    const changed: Digest = {
      ...known,
      ...schedule,
      isActive,
      recipients: change.recipients ?? known.recipients,
      chat,
      ...(isMoved && { nextDueAt: nextDue(schedule, context.now) }),
    };
    await updateDigest(tx, changed);
    if (known.chat !== null && known.chat.secretId !== chat?.secretId)
      await deps.vault.forget(tx, [known.chat.secretId]);
    await recordChanges(tx, context, [
      digestChangeEntry('updated', changed, auditedChange(known, changed, change)),
    ]);
  });
}

/** Removes a digest, with its past issues and the URL of its chat. */
export async function removeDigest(
  { database, vault }: DigestDeps,
  context: CallerContext,
  digestId: string,
): Promise<void> {
  const { id: organizationId } = onlyOrganization(context.scope).organization;
  await database.transaction(async (tx) => {
    const digest = await lockDigest(tx, { organizationId, digestId });
    await deleteDigest(tx, digest);
    await vault.forget(tx, [digest.chat?.secretId ?? null]);
    await recordChanges(tx, context, [digestChangeEntry('deleted', digest)]);
  });
}
