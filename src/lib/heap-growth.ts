import { setFlagsFromString } from 'node:v8';

/** A flag of V8, so a test asks V8 whether it still knows it. */
export const heapGrowthFlag = '--heap-growing-percent';

/**
 * Lets the heap grow to 2.2 times what is in use before its garbage is collected. Left alone, V8 waits for four times as much on
 * a machine with plenty of memory: an import of events then takes up 80 MB more and is 3 % faster.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`${heapGrowthFlag}=120`);
}
