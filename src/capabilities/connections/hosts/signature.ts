import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares without telling by its duration where two texts differ, whatever their lengths. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

/** Whether a signature in hexadecimal is the HMAC-SHA256 of the body under one of the secrets. */
export function isSignedBy(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const given = signature.toLowerCase();
  // Every secret is tried, so that the time does not tell which one fits.
  return secrets
    .map((secret) => isSameText(createHmac('sha256', secret).update(body).digest('hex'), given))
    .some((isSame) => isSame);
}

/** A webhook secret that fits into any host's form. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** An id for a delivery that the host sent without one: the same body is the same delivery. */
export function bodyDigest(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
