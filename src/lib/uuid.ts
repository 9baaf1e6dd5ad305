import { createHash, randomUUID } from 'node:crypto';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID of any version, in upper or lower case. */
export function isUuid(text: string): boolean {
  return pattern.test(text);
}

function format(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Derives a UUID (version 5) from a namespace and a name; the same input always gives the same UUID. */
export function uuidFromName(namespace: string, name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  return format(digest, 5);
}

const maxCount = 0xfff;
let lastMs = 0;
let count = 0;

/**
 * A new UUID (version 7), which starts with the time, so that new rows are adjacent in an index. The UUIDs of one process
 * always ascend, also within a millisecond and when the clock is set back, so that a list by id is in the order of creation.
 */
export function newUuid(): string {
  const now = Date.now();
  count = now > lastMs ? 0 : (count + 1) & maxCount;
  lastMs = now > lastMs ? now : count === 0 ? lastMs + 1 : lastMs;
  const time = lastMs.toString(16).padStart(12, '0');
  // The rest is random as in version 4, which Node generates in batches.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}
