import { HostRefused } from './host.ts';

/**
 * Returns null both for what does not exist and for what the host hides from the account: the caller must not learn the
 * difference.
 */
export async function ifThere<Value>(read: Promise<Value | null>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
}
