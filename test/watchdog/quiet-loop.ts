const cell = new Int32Array(new SharedArrayBuffer(4));

/** A loop without an end, as a fault of ours might make it, that takes the processor from nobody. */
export function loopQuietly(): never {
  for (;;) Atomics.wait(cell, 0, 0, 100);
}
