import { readFile } from 'node:fs/promises';

const pageBytes = 4096;

async function readNumbers(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/**
 * How much memory a process and those that it started hold, in bytes; 0 where the system does not tell. What native code and
 * WebAssembly take is outside of the heap whose size Node limits.
 */
export async function residentMemory(pid: number): Promise<number> {
  const [, pages = 0] = await readNumbers(`/proc/${pid}/statm`);
  const children = await readNumbers(`/proc/${pid}/task/${pid}/children`);
  const others = await Promise.all(children.map(residentMemory));
  return others.reduce((sum, bytes) => sum + bytes, pages * pageBytes);
}
