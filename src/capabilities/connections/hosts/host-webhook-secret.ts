import { randomBytes } from 'node:crypto';

/** Creates a webhook secret that every host accepts. */
export function createWebhookSecret(): string {
  return randomBytes(32).toString('base64url');
}
