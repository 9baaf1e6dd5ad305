import { readChange } from '../../src/reviewer/change/read-change.ts';
import { findInvolved } from '../../src/reviewer/report/involved.ts';
import { peopleOfGit, suggestReviewers } from '../../src/reviewer/report/reviewers.ts';
import { usuallyTogether } from '../../src/reviewer/report/together.ts';
import { commitsTouching, type PastCommit } from '../../src/reviewer/repository/history.ts';
import type { RepositoryPlace } from '../../src/reviewer/repository/repository.ts';
import { runGit } from '../../src/reviewer/repository/run-git.ts';
import { openTree } from '../../src/reviewer/repository/tree-view.ts';
import type { Tally } from './tally.ts';

const historyMs = 10_000;
const top = 3;

/** Compares the report's predictions with the later history, and with a trivial baseline. */
export async function compareWithHistory(
  repository: RepositoryPlace,
  base: string,
  head: string,
  tally: Tally,
): Promise<void> {
  const change = await readChange(repository, { base, head });
  const tree = openTree(repository, base);
  try {
    const paths = await tree.paths();
    const touched = change.files
      .map(({ path, oldPath }) => oldPath ?? path)
      .filter((path) => paths.has(path));
    const commits = await commitsTouching(repository, base, touched, historyMs);
    await compareFiles(repository, base, touched, paths, tally);
    const { involved } = await findInvolved(change, {
      repository,
      base,
      head,
      commits: Promise.resolve(commits),
      paths,
      dialect: undefined,
    });
    const suggested = await suggestReviewers(involved, peopleOfGit);
    const writers = new Set(involved.writers.map(({ name }) => name));
    const next = await nextAuthor(repository, head, touched, writers);
    if (next === undefined) return;
    tally.add(
      suggested.slice(0, top).some(({ username }) => username === next),
      'reviewers: suggested',
    );
    tally.add(lastAuthors(commits, writers).includes(next), 'reviewers: last authors');
  } finally {
    await change.close();
    await tree.close();
  }
}

/** The next author who changes these files; undefined if there is none. */
async function nextAuthor(
  { call }: RepositoryPlace,
  head: string,
  paths: readonly string[],
  writers: ReadonlySet<string>,
): Promise<string | undefined> {
  if (paths.length === 0) return undefined;
  const given = ['log', '--no-merges', '--reverse', '--format=%an', `${head}..HEAD`, '--', ...paths];
  const literal = { ...call, variables: { ...call.variables, GIT_LITERAL_PATHSPECS: '1' } };
  const names = (await runGit(given, literal)).toString().split('\n');
  return names.find((name) => name !== '' && !writers.has(name) && !/\bbot\b/i.test(name));
}

function lastAuthors(commits: readonly PastCommit[], writers: ReadonlySet<string>): string[] {
  const names = commits.map(({ author }) => author.name).filter((name) => !writers.has(name));
  return [...new Set(names)].slice(0, top);
}

/** Given the first file of a commit, how many of the others are predicted? */
async function compareFiles(
  repository: RepositoryPlace,
  base: string,
  touched: readonly string[],
  paths: ReadonlySet<string>,
  tally: Tally,
): Promise<void> {
  const [known, ...others] = touched;
  if (known === undefined || others.length === 0) return;
  const commits = await commitsTouching(repository, base, [known], historyMs);
  const isHit = (named: readonly string[]) => named.some((path) => others.includes(path));
  const { together } = usuallyTogether([known], commits, (path) => paths.has(path));
  tally.add(together.length > 0, 'together: something is named');
  if (together.length > 0)
    tally.add(
      isHit(together.slice(0, top).map((each) => each.usually_with)),
      'together: named ones followed',
    );
  const counts = new Map<string, number>();
  for (const path of commits.flatMap((commit) => commit.others ?? []))
    if (paths.has(path)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const neighbours = [...counts].sort(([, a], [, b]) => b - a).slice(0, top);
  const isNamed = neighbours.length > 0;
  if (isNamed)
    tally.add(isHit(neighbours.map(([path]) => path)), 'together: most frequent neighbours followed');
  if (isNamed && together.length > 0)
    tally.add(isHit(neighbours.map(([path]) => path)), 'together: neighbours followed, same commits');
}
