import type { AttemptLimit, RateLimiter } from '../../../access/rate-limit.ts';
import { AppError } from '../../../lib/app-error.ts';
import type { DashboardDeps, SignInOrigin } from '../deps.ts';
import { findPlace, networkName, type Place } from './known-places.ts';

// ADR 0054 says why each is there. All count what is tried, not what fails, since several can be tried at once.
const quarterHour = 15 * 60;
const perPlace: AttemptLimit = { bucket: 'sign-in-place', most: 10, withinSeconds: quarterHour };
const perNetwork: AttemptLimit = { bucket: 'sign-in-network', most: 100, withinSeconds: quarterHour };
const perAccount: AttemptLimit = { bucket: 'sign-in-account', most: 100, withinSeconds: 60 * 60 };
const perSession: AttemptLimit = { bucket: 'change-password', most: 10, withinSeconds: quarterHour };
const singleSignOns: AttemptLimit = { bucket: 'single-sign-on', most: 60, withinSeconds: 60 };

async function attempt(
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

function subjectOf(email: string, { hash }: Place): string {
  return `${hash.toString('base64url')} ${email}`;
}

/** Counts a guess at the password of an account, known or not; throws when there were too many. */
export async function countGuess(
  { database, limiter }: Pick<DashboardDeps, 'database' | 'limiter'>,
  email: string,
  origin: SignInOrigin,
): Promise<Place> {
  const place = await findPlace(database.sql, email, origin);
  await attempt(limiter, perPlace, subjectOf(email, place));
  if (place.kind !== 'device') await attempt(limiter, perNetwork, networkName(origin.ipAddress));
  if (place.kind === 'unknown')
    await attempt(limiter, perAccount, email, ', or from a browser or network in which you signed in before');
  return place;
}

/** Forgets the wrong guesses that were made where the right one came from. */
export async function forgetGuesses(limiter: RateLimiter, email: string, place: Place): Promise<void> {
  await limiter.forget(perPlace, subjectOf(email, place));
}

/** Counts a link that does not work against the network it was tried from. */
export async function countWrongLink(
  limiter: RateLimiter,
  ipAddress: string | null | undefined,
): Promise<void> {
  await attempt(limiter, perNetwork, networkName(ipAddress));
}

/** Counts a guess at the present password by somebody who is signed in; other sessions keep their own tries. */
export async function countPasswordChange(limiter: RateLimiter, sessionHash: Buffer): Promise<void> {
  await attempt(limiter, perSession, sessionHash.toString('base64url'));
}

/** Counts a way to the identity provider that is begun: each is kept until it ends. */
export async function countSingleSignOn(
  limiter: RateLimiter,
  ipAddress: string | null | undefined,
): Promise<void> {
  await attempt(limiter, singleSignOns, networkName(ipAddress));
}
