const defaultRowsPerStep = 1_000;

/**
 * Deletes many rows in small transactions, so that none of them holds its locks for long or makes a replica wait, until
 * nothing is left to delete or the server stops.
 */
export async function deleteInSteps(
  signal: AbortSignal,
  deleteSome: (limit: number) => PromiseLike<{ readonly count: number }>,
  rowsPerStep = defaultRowsPerStep,
): Promise<void> {
  for (let deleted = rowsPerStep; deleted >= rowsPerStep && !signal.aborted; )
    deleted = (await deleteSome(rowsPerStep)).count;
}
