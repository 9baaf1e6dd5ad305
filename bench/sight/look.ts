import { isGeneratedPath } from '../../src/reviewer/change/file-kinds.ts';
import { readChange } from '../../src/reviewer/change/read-change.ts';
import { languages } from '../../src/reviewer/code/languages.ts';
import type { RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import { openTree } from '../../src/reviewer/repository/tree-view.ts';
import { findReferenceFaults } from '../../src/reviewer/rules/references/find-faults.ts';

/** Runs the rules about references on a change, and measures the duration in milliseconds. */
export async function look(repository: RepositoryPlace, base: string, head: string) {
  const started = performance.now();
  const change = await readChange(repository, { base, head });
  const trees = { base: openTree(repository, base), head: openTree(repository, head) };
  try {
    const found = await findReferenceFaults(change, trees, languages, AbortSignal.timeout(40_000));
    // Reviews report nothing about generated files.
    const findings = found.findings.filter(({ path }) => !isGeneratedPath(path));
    return { ...found, findings, ms: performance.now() - started };
  } finally {
    await Promise.all([change.close(), trees.base.close(), trees.head.close()]);
  }
}
