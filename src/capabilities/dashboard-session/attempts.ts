import type { AttemptLimit, RateLimiter } from '../../access/rate-limit.ts';
import { AppError } from '../../lib/app-error.ts';

const quarterHour = 15 * 60;
const perAccount: AttemptLimit = { bucket: 'sign-in-account', most: 10, withinSeconds: quarterHour };
const perAddress: AttemptLimit = { bucket: 'sign-in-address', most: 100, withinSeconds: quarterHour };

async function attempt(limiter: RateLimiter, limit: AttemptLimit, subject: string): Promise<void> {
  const decision = await limiter.attempt(limit, subject);
  if (decision.admitted) return;
  const minutes = Math.ceil(decision.retryAfterSeconds / 60);
  const wait = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  throw new AppError('RATE_LIMIT_EXCEEDED', `Too many tries; try again ${wait}`, decision.retryAfterSeconds);
}

/** Counts a try to sign in against the address it came from and, where it names one, the account; known or not. */
export async function countAttempt(
  limiter: RateLimiter,
  ipAddress: string | null,
  email?: string,
): Promise<void> {
  await attempt(limiter, perAddress, ipAddress ?? 'unknown');
  if (email !== undefined) await attempt(limiter, perAccount, email);
}
