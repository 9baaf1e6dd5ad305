import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Compares two strings in constant time, whatever their lengths. */
export function isSameText(first: string, second: string): boolean {
  return timingSafeEqual(digest(first), digest(second));
}

/** Whether a text can be an HMAC-SHA256 in hexadecimal. */
export function isDigest(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/i.test(text);
}

/** Checks whether a signature in hexadecimal is the HMAC-SHA256 of the body under one of the secrets. */
export function isSignedBy(body: Buffer, signature: string, secrets: readonly string[]): boolean {
  const lowerCaseSignature = signature.toLowerCase();
  // Every secret is tried, so that timing does not reveal which one matches.
  return secrets
    .map((secret) => isSameText(createHmac('sha256', secret).update(body).digest('hex'), lowerCaseSignature))
    .some((isSame) => isSame);
}
