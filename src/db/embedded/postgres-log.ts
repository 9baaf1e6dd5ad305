import { type FileHandle, open, rename } from 'node:fs/promises';

const KEPT_BYTES = 8 * 1024 * 1024;
const TAIL_BYTES = 64 * 1024;

/** Opens PostgreSQL's log for appending and returns its current end; a long log is rotated first. */
export async function openLog(file: string): Promise<{ handle: FileHandle; start: number }> {
  const handle = await open(file, 'a', 0o600);
  const { size } = await handle.stat();
  if (size < KEPT_BYTES) return { handle, start: size };
  await handle.close();
  await rename(file, `${file}.1`);
  return { handle: await open(file, 'a', 0o600), start: 0 };
}

/** The last lines of the log after `start`. */
async function lastLines(file: string, start: number): Promise<string[]> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(start, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(size - from), position: from });
    return buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
  } finally {
    await handle.close();
  }
}

/** PostgreSQL's last error message in the log after `start`. */
export async function lastErrorMessage(file: string, start: number): Promise<string> {
  const lines = await lastLines(file, start);
  const message = lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1);
  return message?.replace(/^.*?\b(FATAL|PANIC|ERROR|error):\s*/, '') ?? 'it gave no reason';
}

/** The reason for a slow start whose log begins at `start`: recovery after a crash, or a busy machine. */
export async function describeSlowStart(file: string, start: number): Promise<string> {
  const isRepairing = (await lastLines(file, start)).some((line) =>
    /database system was (interrupted|not properly shut down)/.test(line),
  );
  return isRepairing
    ? 'PostgreSQL is repairing its files after a crash; this may take a while.'
    : 'PostgreSQL is still starting.';
}
