import type { DigestKey } from './digest-record.ts';

/** Seals values so that nobody else can make or read them. */
export interface Sealer {
  seal(binding: unknown, value: unknown): string;
  /** Throws INVALID_REQUEST for what was not sealed with this binding. */
  open<Value>(binding: unknown, sealed: string): Value;
}

/** Whose mails of which digest. */
export interface Subscription extends DigestKey {
  readonly email: string;
}

const binding = 'digest subscription';

/** What lets whoever received a mail end it without signing in. Only this installation can make or read one. */
export function sealSubscription(cursors: Sealer, { organizationId, digestId, email }: Subscription): string {
  return cursors.seal(binding, { organizationId, digestId, email });
}

/** Throws INVALID_REQUEST for anything that this installation has not made. */
export function openSubscription(cursors: Sealer, token: string): Subscription {
  return cursors.open<Subscription>(binding, token);
}
