import type { RuleFinding, RuleSource, SourceText } from './rule-source.ts';

/** A source that looks at each text by itself, in this process. */
export function findOneByOne(findIn: (file: SourceText) => RuleFinding[]): RuleSource['find'] {
  return async (files, signal) => {
    const found: RuleFinding[][] = [];
    for (const file of files) {
      signal.throwIfAborted();
      found.push(findIn(file));
      // A large change must not keep the process from everything else.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };
}
