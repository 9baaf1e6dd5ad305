import { HostRefused } from './host.ts';

/** What was asked for; null also where the host does not show it to the account, which is the same to whoever names it. */
export async function ifThere<Value>(read: Promise<Value | null>): Promise<Value | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof HostRefused) return null;
    throw error;
  }
}
