import { after } from 'node:test';
import { readChange } from '../src/reviewer/change/read-change.ts';
import { languages } from '../src/reviewer/code/languages.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { openTree } from '../src/reviewer/repository/tree-view.ts';
import type { PlacedFinding } from '../src/reviewer/rule-source.ts';
import { findReferenceFaults } from '../src/reviewer/rules/references/find-faults.ts';
import { makeRepository } from './git-repository.ts';

/** The findings about an uncommitted change, as `rule path:side line (related places)`. */
export async function faultsOf(
  before: Record<string, string>,
  changed: Record<string, string | null>,
): Promise<string[]> {
  return faultsIn(await makeRepository(before), changed);
}

/** Like `faultsOf`, in an existing repository. */
export async function faultsIn(...given: Parameters<typeof findingsIn>): Promise<string[]> {
  return (await findingsIn(...given)).map(({ rule, path, side, startLine, related, body }) => {
    const places = related.map((each) => `${each.path}:${each.startLine}`).join(' ');
    return `${rule} ${path}:${side} ${startLine} (${places}) ${body.split('. ')[0]}`;
  });
}

/** The findings about an uncommitted change in a repository. */
export async function findingsIn(
  made: Awaited<ReturnType<typeof makeRepository>>,
  changed: Record<string, string | null>,
): Promise<readonly PlacedFinding[]> {
  const base = await made.git('rev-parse', 'HEAD');
  const gone = Object.keys(changed).filter((name) => changed[name] === null);
  if (gone.length > 0) await made.git('rm', '--quiet', ...gone);
  await made.write(
    Object.fromEntries(
      Object.entries(changed).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
  );
  const repository = await openRepository(made.folder, { searchPath: process.env.PATH });
  const trees = { base: openTree(repository, base), head: openTree(repository, null) };
  const change = await readChange(repository, { base, head: null });
  after(async () => {
    await Promise.all([change.close(), trees.base.close(), trees.head.close()]);
    await repository.close();
  });
  return (await findReferenceFaults(change, trees, languages)).findings;
}
