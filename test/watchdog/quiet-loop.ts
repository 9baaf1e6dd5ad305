const cell = new Int32Array(new SharedArrayBuffer(4));

/** An endless loop, like a fault of the server, but without using the processor. */
export function loopQuietly(): never {
  for (;;) Atomics.wait(cell, 0, 0, 100);
}
