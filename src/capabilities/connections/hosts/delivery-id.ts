import { createHash } from 'node:crypto';

/** The id of a delivery that the host sent without one: the same body is the same delivery. */
export function deliveryIdOfBody(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}
