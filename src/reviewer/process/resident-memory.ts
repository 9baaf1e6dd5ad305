import { readFile } from 'node:fs/promises';

const pageBytes = 4096;

async function readNumbers(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/**
 * The resident memory of a process and its descendants, in bytes; 0 if the system does not report it. It includes native code
 * and WebAssembly, which are outside of the heap that Node limits. Shared memory of descendants does not count: Node's own
 * code is in memory only once, and the kernel can reclaim files that Git has mapped.
 */
export async function residentMemory(pid: number): Promise<number> {
  const [, pages = 0] = await readNumbers(`/proc/${pid}/statm`);
  return pages * pageBytes + (await memoryOfChildren(pid));
}

async function memoryOfChildren(pid: number): Promise<number> {
  const children = await readNumbers(`/proc/${pid}/task/${pid}/children`);
  const sizes = await Promise.all(
    children.map(async (child) => {
      const [, pages = 0, shared = 0] = await readNumbers(`/proc/${child}/statm`);
      return (pages - shared) * pageBytes + (await memoryOfChildren(child));
    }),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
