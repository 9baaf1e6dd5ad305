/** The server changes at most this many people or Learnings at once. */
const batchSize = 500;

/** Sends a change for any number of ids, in batches of a size that the server accepts, one after the other. */
export async function inBatches<Answer>(
  ids: readonly string[],
  send: (batch: readonly string[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < ids.length; start += batchSize)
    answers.push(await send(ids.slice(start, start + batchSize)));
  return answers;
}
