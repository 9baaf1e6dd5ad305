import { readFile } from 'node:fs/promises';

const pageBytes = 4096;

async function readNumbers(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/**
 * How much memory a process and those that it started hold, in bytes; 0 where the system does not tell. What native code and
 * WebAssembly take is outside of the heap whose size Node limits. Of those that it started, what they share does not count:
 * Node's own code is there once for all, and files that Git has mapped are given back when somebody needs the memory.
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
