import { rm } from 'node:fs/promises';

/**
 * Removes a folder, if it exists. A process that was killed can leave others that write for another moment, such as PostgreSQL
 * after its server, so this is tried for up to 40 seconds.
 */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 40, retryDelay: 50 });
}
