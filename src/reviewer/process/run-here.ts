import type { openChange } from '../change/change-source.ts';
import type { AstGrepRule } from '../configuration/read-ast-grep-rules.ts';
import type { AnyRuleSource } from '../rule-source.ts';
import { ChangeCache } from './change-cache.ts';
import type { PartModule, PartOrder, ReviewProcesses } from './part.ts';

/** Runs parts in the current process, with the given rule sources: for tests, and for trusted code. Nothing is limited. */
export function workHere(
  ruleSources: (own: readonly AstGrepRule[]) => Promise<readonly AnyRuleSource[]>,
  open?: typeof openChange,
): ReviewProcesses {
  const cache = new ChangeCache(open);
  return {
    async run({ module }, request, { signal, deadline, onReport }: PartOrder) {
      signal.throwIfAborted();
      const { work } = (await import(module)) as PartModule;
      return cache.serve((openChange) =>
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
    stop: () => cache.close(),
  };
}
