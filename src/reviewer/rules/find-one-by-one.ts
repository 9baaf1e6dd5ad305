import type { RuleFinding, RuleSource, SourceText } from '../rule-source.ts';

/** The `find` of a source that checks each text separately, in the current process. */
export function findOneByOne(
  findIn: (file: SourceText) => readonly RuleFinding[] | Promise<readonly RuleFinding[]>,
): RuleSource['find'] {
  return async (files, signal) => {
    const found: (readonly RuleFinding[])[] = [];
    for (const file of files) {
      signal.throwIfAborted();
      found.push(await findIn(file));
      // Yields to the event loop, so that `signal` can be aborted.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };
}
