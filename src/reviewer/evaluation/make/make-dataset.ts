import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seededRandom } from '../../../lib/seeded-random.ts';
import type { RepositoryPlace } from '../../repository/repository.ts';
import { GitError } from '../../repository/run-git.ts';
import { DatasetError } from '../dataset.ts';
import { makeCaseRepository } from './case-repository.ts';
import { type HistoryCommit, isShallow, listCommits } from './list-commits.ts';
import type { CaseMaker, MadeCase } from './made-case.ts';
import { makeBugs } from './make-bugs.ts';
import { makeWithheld } from './make-withheld.ts';

export interface DatasetRequest {
  readonly kind: 'withheld' | 'bugs';
  readonly repository: RepositoryPlace;
  /** A new or empty folder. */
  readonly out: string;
  /** The maximum number of commits that become cases. */
  readonly limit: number;
  readonly since?: string | undefined;
  /** Selects commits at random; without a seed, the newest are used. */
  readonly seed?: number | undefined;
  /** Ids of the commits to use, or prefixes of ids. */
  readonly commits?: readonly string[] | undefined;
  onProgress(done: number, total: number): void;
}

export interface MadeDataset {
  /** The number of commits that became cases. Each also has a case without expected findings. */
  readonly taken: number;
  readonly cases: number;
  /** The number of commits that were examined. */
  readonly seen: number;
  readonly isShallow: boolean;
}

const makers: Record<DatasetRequest['kind'], CaseMaker> = { withheld: makeWithheld, bugs: makeBugs };

/** Makes a data set from the history of a repository, without executing or changing anything in it. */
export async function makeDataset(request: DatasetRequest): Promise<MadeDataset> {
  const { kind, repository, out, limit, seed } = request;
  await requireEmpty(out);
  const maker = makers[kind];
  const isCut = await isShallow(repository);
  const commits = await chooseCommits(request, maker, isCut);
  const target = await makeCaseRepository(repository, path.join(out, 'repository.git'));
  const random = seededRandom(seed ?? 1);
  let [taken, seen, written] = [0, 0, 0];
  for (const commit of commits) {
    if (taken >= limit) break;
    request.onProgress(Math.max(taken / limit, seen / commits.length), 1);
    seen += 1;
    const cases = await maker.make(commit, { repository, target, random }).catch((error: unknown) => {
      // Skips a commit that Git cannot show, for example because a blob is missing.
      if (error instanceof GitError && error.fault === 'failed') return [];
      throw error;
    });
    if (cases.length === 0) continue;
    for (const made of cases) await writeCase(out, commit, made);
    taken += 1;
    written += cases.length;
  }
  if (taken === 0) throw new DatasetError(nothingFound(kind, seen, isCut));
  return { taken, cases: written, seen, isShallow: isCut };
}

async function requireEmpty(out: string): Promise<void> {
  const entries = await readdir(out).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new DatasetError(`${out} cannot be written (${error.code})`);
  });
  if (entries.length > 0) throw new DatasetError(`${out} is not empty; name a new folder with --out`);
  await mkdir(out, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new DatasetError(`${out} cannot be written (${error.code})`);
  });
}

async function chooseCommits(
  { repository, since, seed, commits: named }: DatasetRequest,
  maker: CaseMaker,
  isCut: boolean,
): Promise<HistoryCommit[]> {
  const all = await listCommits(repository, { since }).catch((error: unknown) => {
    if (error instanceof GitError && error.fault === 'failed')
      throw new DatasetError('The repository has no commits: HEAD does not point to one');
    throw error;
  });
  if (named !== undefined) {
    const unknown = named.filter((id) => !all.some((commit) => commit.id.startsWith(id)));
    if (unknown.length > 0)
      throw new DatasetError(
        `Not in the main line of the history${isCut ? ', which is shallow here' : ''}: ${unknown.slice(0, 5).join(', ')}${unknown.length > 5 ? `, and ${unknown.length - 5} more` : ''}`,
      );
  }
  const chosen =
    named === undefined
      ? all.filter(maker.isCandidate)
      : all.filter(({ id }) => named.some((each) => id.startsWith(each)));
  if (seed === undefined) return chosen;
  const random = seededRandom(seed);
  return chosen
    .map((commit) => [random.next(), commit] as const)
    .sort(([a], [b]) => a - b)
    .map(([, commit]) => commit);
}

function nothingFound(kind: DatasetRequest['kind'], seen: number, isCut: boolean): string {
  const wanted = {
    withheld:
      'changes a symbol together with code that uses it in other files (JavaScript, TypeScript, Python or Go)',
    bugs: 'is a fix of a few lines of code',
  }[kind];
  const looked = seen === 1 ? 'One commit was looked at' : `${seen} commits were looked at`;
  const advice = isCut ? '; the history is shallow here, so fetch more of it (git fetch --unshallow)' : '';
  return `No commit ${wanted}. ${looked}${advice}`;
}

async function writeCase(out: string, commit: HistoryCommit, { name, ...content }: MadeCase): Promise<void> {
  const folder = path.join(out, `${commit.id.slice(0, 12)}-${name}`);
  await mkdir(folder, { recursive: true });
  const described = { repository: '../repository.git', ...content, commit: commit.id };
  await writeFile(path.join(folder, 'case.json'), `${JSON.stringify(described, null, 2)}\n`);
}
