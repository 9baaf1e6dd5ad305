import { after } from 'node:test';
import { readChange } from '../src/reviewer/change/read-change.ts';
import { findImpact } from '../src/reviewer/code/impact/find-impact.ts';
import { javascript } from '../src/reviewer/code/javascript/javascript.ts';
import type { Language } from '../src/reviewer/code/language.ts';
import { RepositoryCode } from '../src/reviewer/code/repository-code.ts';
import { openRepository } from '../src/reviewer/repository/repository.ts';
import { openTree } from '../src/reviewer/repository/tree-view.ts';
import { makeRepository } from './git-repository.ts';

type Files = Record<string, string>;

/** The effects of a change on the uses of the altered symbols, as `symbol change: path:line state`. */
export async function impactOf(
  before: Files,
  changed: Record<string, string | null>,
  language: Language = javascript,
) {
  const made = await makeRepository(before);
  const base = await made.git('rev-parse', 'HEAD');
  const gone = Object.keys(changed).filter((name) => changed[name] === null);
  if (gone.length > 0) await made.git('rm', '--quiet', ...gone);
  const kept = Object.entries(changed).filter((entry): entry is [string, string] => entry[1] !== null);
  const head = await made.commit(Object.fromEntries(kept));
  const repository = await openRepository(made.folder, { searchPath: process.env.PATH });
  const [old, now] = [base, head].map((id) => new RepositoryCode(openTree(repository, id), language)) as [
    RepositoryCode,
    RepositoryCode,
  ];
  const change = await readChange(repository, { base, head });
  after(async () => {
    await Promise.all([change.close(), old.tree.close(), now.tree.close()]);
    await repository.close();
  });
  const { impacts } = await findImpact(change, old, now);
  return impacts.flatMap((impact) => [
    `${impact.symbol} ${impact.change}${impact.renamedTo === null ? '' : ` to ${impact.renamedTo}`}`,
    ...impact.references.map(
      ({ path, line, state, fault }) => `  ${path}:${line} ${state}${fault === null ? '' : `: ${fault}`}`,
    ),
  ]);
}
