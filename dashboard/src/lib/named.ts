/** The server names at most this many at once. */
const batchSize = 100;

/** Asks for the names of any number of ids, in batches that the server takes. */
export async function readInBatches<Named>(
  ids: readonly string[],
  read: (batch: readonly string[]) => Promise<readonly (readonly [string, Named])[]>,
): Promise<ReadonlyMap<string, Named>> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
  return new Map((await Promise.all(batches.map(read))).flat());
}
