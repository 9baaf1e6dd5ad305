/** The server accepts at most this many ids at once. */
const batchSize = 100;

/** Loads the names of any number of ids, in batches of a size that the server accepts. */
export async function readInBatches<Named>(
  ids: readonly string[],
  read: (batch: readonly string[]) => Promise<readonly (readonly [string, Named])[]>,
): Promise<ReadonlyMap<string, Named>> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
  return new Map((await Promise.all(batches.map(read))).flat());
}
