import type { InstanceId } from '../../lib/ids.ts';
import type { SecretId } from '../../secrets/vault.ts';
import type { HostAccount, HostProvider } from './hosts/host.ts';

export type ConnectionId = string & { readonly brand: 'ConnectionId' };

/** The settings of organizations that are new to the platform. */
export interface OrganizationDefaults {
  readonly plan: 'free' | 'pro' | 'enterprise';
  readonly subscription: 'active' | 'none';
  readonly seats_purchased: number;
  readonly seat_assignment_mode: 'automatic' | 'manual';
}

/** One account of Postil on one Git host. */
export interface Connection {
  readonly id: ConnectionId;
  readonly provider: HostProvider;
  readonly url: string;
  readonly instance: { readonly id: InstanceId; readonly slug: string } | null;
  readonly account: HostAccount;
  /** Names or ids at the host; null: all that the account can see. */
  readonly wantedOrganizations: readonly string[] | null;
  readonly credentialsId: SecretId;
  readonly webhookSecretId: SecretId;
  readonly review: 'on' | 'off';
  readonly defaults: OrganizationDefaults;
  readonly isPaused: boolean;
  /** Changed while paused: the host has yet to be asked about it. */
  readonly isUntried: boolean;
  readonly failingSince: Date | null;
  readonly lastError: { readonly at: Date; readonly message: string } | null;
  readonly lastReadAt: Date | null;
  readonly lastDeliveryAt: Date | null;
  readonly syncedAt: Date | null;
  readonly sweptAt: Date | null;
  readonly backfillSince: string | null;
  readonly createdAt: Date;
}

export type ConnectionStatus = 'ready' | 'failing' | 'paused';

export function statusOf({ isPaused, failingSince }: Connection): ConnectionStatus {
  if (isPaused) return 'paused';
  return failingSince === null ? 'ready' : 'failing';
}

/** The purposes for which a connection's secrets are sealed. */
export const secretPurposes = {
  credentials: 'connection credentials',
  webhook: 'connection webhook secret',
} as const;
