import type { RateLimiter } from '../../../access/rate-limit.ts';
import type { AttemptLimit } from '../../../access/statements/rate-limit-statement.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { DashboardDeps, SignInOrigin } from '../deps.ts';
import { findPlace, networkName, type Place } from './known-places.ts';

// ADR 0054 explains each limit. All count attempts, not failures, since several attempts can run concurrently.
const quarterHour = 15 * 60;
const perPlace: AttemptLimit = { bucket: 'sign-in-place', max: 10, withinSeconds: quarterHour };
const perNetwork: AttemptLimit = { bucket: 'sign-in-network', max: 100, withinSeconds: quarterHour };
const perAccount: AttemptLimit = { bucket: 'sign-in-account', max: 100, withinSeconds: 60 * 60 };
const perSession: AttemptLimit = { bucket: 'change-password', max: 10, withinSeconds: quarterHour };
const perNetworkSingleSignOn: AttemptLimit = { bucket: 'single-sign-on', max: 60, withinSeconds: 60 };

async function countAttempt(
  limiter: RateLimiter,
  limit: AttemptLimit,
  subject: string,
  advice = '',
): Promise<void> {
  const decision = await limiter.attempt(limit, subject);
  if (decision.admitted) return;
  const minutes = Math.ceil(decision.retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  const message = `Too many attempts; try again ${wait}${advice}`;
  throw new AppError('RATE_LIMIT_EXCEEDED', message, decision.retryAfterSeconds);
}

function signInSubject(email: string, { hash }: Place): string {
  return `${hash.toString('base64url')} ${email}`;
}

/** Counts an attempt to sign in to an account, whether it exists or not; throws if there were too many. */
export async function countSignIn(
  { database, limiter }: Pick<DashboardDeps, 'database' | 'limiter'>,
  email: string,
  origin: SignInOrigin,
): Promise<Place> {
  const place = await findPlace(database.sql, email, origin);
  await countAttempt(limiter, perPlace, signInSubject(email, place));
  if (place.kind !== 'device') await countAttempt(limiter, perNetwork, networkName(origin.ipAddress));
  if (place.kind === 'unknown')
    await countAttempt(
      limiter,
      perAccount,
      email,
      ', or use a browser or network from which you have signed in before',
    );
  return place;
}

/** Resets the count for a place once the right password was entered there. */
export async function resetSignInCount(limiter: RateLimiter, email: string, place: Place): Promise<void> {
  await limiter.forget(perPlace, signInSubject(email, place));
}

/** Counts an invalid link against the network it was tried from. */
export async function countInvalidLink(
  limiter: RateLimiter,
  ipAddress: string | null | undefined,
): Promise<void> {
  await countAttempt(limiter, perNetwork, networkName(ipAddress));
}

/** Counts an attempt to change a password, per session, since it is also a guess at the current password. */
export async function countPasswordChange(limiter: RateLimiter, sessionHash: Buffer): Promise<void> {
  await countAttempt(limiter, perSession, sessionHash.toString('base64url'));
}

/** Counts a single sign-on that is started, since each is stored until it is completed or expires. */
export async function countSingleSignOn(
  limiter: RateLimiter,
  ipAddress: string | null | undefined,
): Promise<void> {
  await countAttempt(limiter, perNetworkSingleSignOn, networkName(ipAddress));
}
