import type { RuleFinding, RuleSource, SourceText } from '../rule-source.ts';

/** A source that looks at each text by itself, in this process. */
export function findOneByOne(
  findIn: (file: SourceText) => readonly RuleFinding[] | Promise<readonly RuleFinding[]>,
): RuleSource['find'] {
  return async (files, signal) => {
    const found: (readonly RuleFinding[])[] = [];
    for (const file of files) {
      signal.throwIfAborted();
      found.push(await findIn(file));
      // So that it hears when the time is up.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };
}
