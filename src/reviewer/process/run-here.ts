import type { openChange } from '../change/change-source.ts';
import type { AstGrepRule } from '../configuration/read-ast-grep-rules.ts';
import type { AnyRuleSource } from '../rule-source.ts';
import { ChangeShelf } from './change-shelf.ts';
import type { PartModule, PartOrder, ReviewProcesses } from './part.ts';

/** Does the work right here, by sources that are given: for tests, and for what the caller itself wrote. Nothing is limited. */
export function workHere(
  ruleSources: (own: readonly AstGrepRule[]) => Promise<readonly AnyRuleSource[]>,
  open?: typeof openChange,
): ReviewProcesses {
  const shelf = new ChangeShelf(open);
  return {
    async run({ module }, request, { signal, deadline, onReport }: PartOrder) {
      signal.throwIfAborted();
      const { work } = (await import(module)) as PartModule;
      return shelf.serve((openChange) =>
        work(request, {
          signal,
          deadline: deadline ?? new AbortController().signal,
          openChange,
          ruleSources,
          report: (progress) => onReport?.(progress),
          retire() {},
        }),
      ) as Promise<never>;
    },
    warm() {},
    stop: () => shelf.close(),
  };
}
