import type { OrganizationId } from '../../lib/ids.ts';
import type { SecretId } from '../../secrets/vault.ts';
import type { AuditChange } from '../audit-log/record-changes.ts';
import type { WeeklyTime } from './period.ts';

export const chatKinds = ['slack', 'teams'] as const;
export type ChatKind = (typeof chatKinds)[number];

/** From `sending` on, it may have been delivered: if the outcome is missing, it becomes `unknown` and is not sent again. */
export const sendingStates = [
  'waiting',
  'claimed',
  'sending',
  'sent',
  'failed',
  'unknown',
  'dropped',
] as const;
export type SendingState = (typeof sendingStates)[number];

/** The name of the chat in the list of recipients. */
export const chatRecipient = 'chat';

/** The context that URLs of chats are sealed for. */
export const chatPurpose = 'digest chat webhook';

export interface DigestKey {
  readonly organizationId: OrganizationId;
  readonly digestId: string;
}

export interface Digest extends DigestKey, WeeklyTime {
  readonly teamId: string | null;
  readonly recipients: readonly string[];
  readonly chat: { readonly kind: ChatKind; readonly host: string; readonly secretId: SecretId } | null;
  readonly isActive: boolean;
  readonly nextDueAt: Date;
  readonly createdAt: Date;
}

/** The audit entry of a change; of a chat it contains only the host, because the path of the URL is a credential. */
export function digestChangeEntry(
  action: 'created' | 'updated' | 'deleted' | 'unsubscribed',
  { organizationId, digestId, teamId }: Pick<Digest, 'organizationId' | 'digestId' | 'teamId'>,
  metadata: Readonly<Record<string, unknown>> = {},
): AuditChange {
  return {
    organizationId,
    action: `digest.${action}`,
    resourceType: 'digest',
    resourceId: digestId,
    resourceSummary: teamId === null ? 'Digest of the organization' : 'Digest of a team',
    metadata: { ...(teamId !== null && { team_id: teamId }), ...metadata },
  };
}
