import { createHash } from 'node:crypto';
import type { OrganizationId, RepositoryId } from '../../lib/ids.ts';
import { uuidFromName } from '../../lib/uuid.ts';

const namespace = '7f0d5a3c-5b0e-5d3a-9a43-6f1c52a4e8b1';

/** The id of the Learning with this redacted text; the counter makes it unique if an older record still has the first id. */
export function learningId(
  organizationId: OrganizationId,
  repositoryId: RepositoryId,
  text: string,
  counter = 0,
): string {
  const named = [organizationId, repositoryId, text];
  return uuidFromName(namespace, JSON.stringify(counter === 0 ? named : [...named, counter]));
}

/** The hash by which redacted texts are compared (SHA-256, hexadecimal). */
export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
