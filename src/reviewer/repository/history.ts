import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { decodeFileName } from './file-name.ts';
import type { RepositoryPlace } from './repository.ts';
import { endOf, type GitCall, GitError, startGit } from './run-git.ts';

/** An author in Git. Email addresses are only used to find accounts, and never shown. */
export interface Author {
  readonly name: string;
  readonly email: string;
}

/** A commit that touched some of the requested paths. */
export interface PastCommit {
  readonly author: Author;
  readonly title: string;
  readonly touched: readonly string[];
  /** The other files that it touched; null if there are too many to be meaningful. */
  readonly others: readonly string[] | null;
}

export interface AuthoredLines {
  readonly author: Author;
  readonly lines: number;
}

export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Commits of more files are moves, formatting or initial imports: they say nothing about which files belong together. */
const maxFilesOfCommit = 30;
const maxCommits = 4_000;
const maxBytes = 32 * 1024 * 1024;
/** Enough for changes by people; more could exceed the length of a command line. */
const maxRanges = 200;
const versionsMs = 5_000;
const commitMark = '\u0001';

/** Git's output until it ends or reaches a limit of time or size: the newest comes first, so partial output is useful. */
async function readSome(
  { call }: RepositoryPlace,
  given: readonly string[],
  timeoutMs: number,
): Promise<{ readonly answer: string; readonly isWhole: boolean }> {
  const limited: GitCall = {
    ...call,
    timeoutMs,
    variables: { ...call.variables, GIT_LITERAL_PATHSPECS: '1' },
  };
  const child = startGit(given, limited);
  child.stdin.on('error', () => {}).end();
  const ended = endOf(child, limited);
  const chunks: Buffer[] = [];
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxBytes) child.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const answer = () => Buffer.concat(chunks).toString('latin1');
  try {
    await ended;
    return { answer: answer(), isWhole: true };
  } catch (error) {
    if (error instanceof GitError && error.fault !== 'missing') return { answer: answer(), isWhole: false };
    throw error;
  }
}

/** Decodes output that was read as latin1, to keep its bytes. */
const textOf = (bytes: string) => decodeFileName(Buffer.from(bytes, 'latin1'));

/** The boundary commits of a shallow history: they look as if they had added everything that is older. */
export async function cutOffCommits({ call }: RepositoryPlace): Promise<ReadonlySet<string>> {
  const file = path.join(call.variables?.GIT_DIR ?? call.folder, 'shallow');
  const text = await readFile(file, 'latin1').catch(() => '');
  return new Set(text.split('\n').filter((id) => id !== ''));
}

/**
 * The newest commits up to a revision that touched any of the paths, without merges, newest first: one walk for all paths. If
 * the time is up before the history ends, those that were found by then.
 */
export async function commitsTouching(
  repository: RepositoryPlace,
  revision: string,
  paths: readonly string[],
  timeoutMs: number,
): Promise<readonly PastCommit[]> {
  if (paths.length === 0) return [];
  const given = [
    'log',
    '-z',
    `--max-count=${maxCommits}`,
    '--no-merges',
    '--no-renames',
    '--full-diff',
    '--name-only',
    `--format=${commitMark}%H%x00%an%x00%ae%x00%s%x00`,
    revision,
    '--',
    ...paths,
  ];
  const { answer, isWhole } = await readSome(repository, given, timeoutMs);
  const cutOff = await cutOffCommits(repository);
  const records = answer.split(commitMark).slice(1);
  // The last one may be incomplete.
  if (!isWhole) records.pop();
  const wanted = new Set(paths);
  const commits: PastCommit[] = [];
  for (const record of records) {
    const [id = '', name = '', email = '', title = '', ...rest] = record.split('\0');
    if (cutOff.has(id)) continue;
    const files = rest.map((file) => textOf(file.replace(/^\n/, ''))).filter((file) => file !== '');
    commits.push({
      author: { name: textOf(name), email: textOf(email) },
      title: textOf(title),
      touched: files.filter((file) => wanted.has(file)),
      others: files.length > maxFilesOfCommit ? null : files.filter((file) => !wanted.has(file)),
    });
  }
  return commits;
}

/** The ids of the blobs that the newest commits up to a revision stored at the paths, newest first. */
export async function versionsOf(
  repository: RepositoryPlace,
  revision: string,
  paths: readonly string[],
  count: number,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  const how = ['--format=', '--raw', '--no-abbrev', '--no-renames', '-m'];
  const given = ['log', `--max-count=${count}`, ...how, revision, '--', ...paths];
  const { answer } = await readSome(repository, given, versionsMs);
  const ids = [...answer.matchAll(/^:\d+ 100\d+ [0-9a-f]+ ([0-9a-f]{40,64}) /gm)].map(([, id]) => id!);
  return [...new Set(ids)].slice(0, count);
}

/** The authors of the newest commits in any of the folders, newest first. */
export async function authorsOfFolders(
  repository: RepositoryPlace,
  revision: string,
  folders: readonly string[],
  count: number,
  timeoutMs: number,
): Promise<readonly Author[]> {
  if (folders.length === 0) return [];
  const format = '--format=%an%x00%ae%x00';
  const given = ['log', `--max-count=${count}`, '--no-merges', format, revision, '--', ...folders];
  return readAuthors((await readSome(repository, given, timeoutMs)).answer);
}

/** The authors of the commits between two revisions. */
export async function authorsBetween(
  repository: RepositoryPlace,
  base: string,
  head: string,
  timeoutMs: number,
): Promise<readonly Author[]> {
  const given = ['log', '--max-count=1000', '--format=%an%x00%ae%x00', `${base}..${head}`, '--'];
  return readAuthors((await readSome(repository, given, timeoutMs)).answer);
}

/** The titles of the commits between two revisions, without merges, newest first. */
export async function titlesBetween(
  repository: RepositoryPlace,
  base: string,
  head: string,
  timeoutMs: number,
): Promise<readonly string[]> {
  const given = ['log', '-z', '--max-count=1000', '--no-merges', '--format=%s', `${base}..${head}`, '--'];
  const { answer } = await readSome(repository, given, timeoutMs);
  return answer
    .split('\0')
    .filter((title) => title !== '')
    .map(textOf);
}

function readAuthors(answer: string): Author[] {
  const fields = answer.split('\0').map((field) => textOf(field.replace(/^\n/, '')));
  const authors: Author[] = [];
  for (let index = 0; index + 2 < fields.length; index += 2)
    authors.push({ name: fields[index]!, email: fields[index + 1]! });
  return authors;
}

/**
 * How many of these lines of a file (from 1) each author changed last, and how many were requested. A partial clone may lack
 * contents that are needed: nothing is fetched, and a partial result is returned.
 */
export async function authorsOfLines(
  repository: RepositoryPlace,
  revision: string,
  file: string,
  ranges: readonly LineRange[],
  timeoutMs: number,
): Promise<{ readonly authors: readonly AuthoredLines[]; readonly asked: number }> {
  const asked = ranges.slice(0, maxRanges);
  if (asked.length === 0) return { authors: [], asked: 0 };
  const lines = asked.map(({ start, end }) => `-L${start},${end}`);
  const given = ['blame', '--incremental', '--root', ...lines, revision, '--', file];
  const { answer } = await readSome(repository, given, timeoutMs);
  const cutOff = await cutOffCommits(repository);
  const byCommit = new Map<string, { count: number; author: Author }>();
  let current: { count: number; author: Author } | undefined;
  for (const line of answer.split('\n')) {
    const [, id, count] = /^([0-9a-f]{40,64}) \d+ \d+ (\d+)$/.exec(line) ?? [];
    if (id !== undefined) {
      current = byCommit.get(id) ?? { count: 0, author: { name: '', email: '' } };
      current.count += Number(count);
      byCommit.set(id, current);
    } else if (current !== undefined && line.startsWith('author '))
      current.author = { ...current.author, name: textOf(line.slice(7)) };
    else if (current !== undefined && line.startsWith('author-mail <'))
      current.author = { ...current.author, email: textOf(line.slice(13, -1)) };
  }
  const authors = [...byCommit]
    .filter(([id]) => !cutOff.has(id))
    .map(([, { author, count }]) => ({ author, lines: count }));
  return { authors, asked: asked.reduce((sum, { start, end }) => sum + end - start + 1, 0) };
}
