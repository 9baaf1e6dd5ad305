import type { DigestKey } from './digest-record.ts';

/** Encrypts and authenticates values with a key of this installation. */
export interface Sealer {
  seal(binding: unknown, value: unknown): string;
  /** Throws INVALID_REQUEST for anything that was not sealed with this binding. */
  open<Value>(binding: unknown, sealed: string): Value;
}

/** Identifies the mails of a digest to one address. */
export interface Subscription extends DigestKey {
  readonly email: string;
}

const binding = 'digest subscription';

/**
 * The token with which the recipient of a mail unsubscribes without signing in. Only this installation can create or read
 * one.
 */
export function sealSubscription(cursors: Sealer, { organizationId, digestId, email }: Subscription): string {
  return cursors.seal(binding, { organizationId, digestId, email });
}

/** Throws INVALID_REQUEST for anything that this installation has not made. */
export function openSubscription(cursors: Sealer, token: string): Subscription {
  return cursors.open<Subscription>(binding, token);
}
