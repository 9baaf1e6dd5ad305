import { setFlagsFromString } from 'node:v8';

/** An undocumented flag of V8, so a test checks that it still exists. */
export const heapGrowthFlag = '--heap-growing-percent';

/**
 * Lets the heap grow to 2.2 times its live size before the next garbage collection. On a machine with plenty of memory, V8 by
 * default lets it grow to four times that size: an import of events is then 3 % faster, but needs 80 MB more.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`${heapGrowthFlag}=120`);
}
