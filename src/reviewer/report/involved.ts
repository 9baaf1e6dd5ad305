import path from 'node:path';
import type { Change, ChangedFile } from '../change/change.ts';
import {
  type Author,
  type AuthoredLines,
  authorsBetween,
  authorsOfFolders,
  authorsOfLines,
  cutOffCommits,
  type LineRange,
  type PastCommit,
} from '../repository/history.ts';
import { findOwners } from '../repository/owners/find-owners.ts';
import { guessDialect, type OwnersDialect, ownersFiles, readOwners } from '../repository/owners/owners.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { countLines } from './areas.ts';
import type { Involved } from './reviewers.ts';

/** The maximum number of files for `git blame`; those with the most removed lines come first. */
const maxBlamed = 20;
const maxFolders = 20;
const maxOwned = 1_000;
const newestCommits = 100;
/** More people are of no use for suggestions. */
const maxPeople = 50;
const logMs = 5_000;
const blameMs = 6_000;

export interface InvolvedRequest {
  readonly repository: RepositoryPlace;
  readonly base: string;
  readonly head: string | null;
  /** The newest commits to files of the change. */
  readonly commits: Promise<readonly PastCommit[]>;
  /** All files of the base. */
  readonly paths: ReadonlySet<string>;
  readonly dialect: OwnersDialect | undefined;
}

/** Finds the people who wrote or own the code that a change touches. */
export async function findInvolved(
  change: Change,
  request: InvolvedRequest,
): Promise<{ readonly involved: Involved; readonly notes: readonly string[] }> {
  const { repository, base, head } = request;
  const { lines, total } = await authorsOfChangedLines(change, request);
  const own = (await request.commits).slice(0, newestCommits).map(({ author }) => author);
  const areNewFiles = own.length === 0;
  const folders = areNewFiles ? foldersOfNew(change, request.paths) : [];
  const authors = areNewFiles ? await authorsOfFolders(repository, base, folders, newestCommits, logMs) : own;
  const involved: Involved = {
    writers: await authorsBetween(repository, base, head ?? 'HEAD', logMs).then(distinct),
    owners: await ownersOf(change, request),
    files: change.files.length,
    lines: lines.toSorted((a, b) => b.lines - a.lines).slice(0, maxPeople),
    totalLines: total,
    commits: countCommits(authors).slice(0, maxPeople),
    areNewFiles,
  };
  const isCutOff = (await cutOffCommits(repository)).size > 0;
  const isKnown = total === 0 || lines.length > 0 || isCutOff;
  const notes = isKnown
    ? []
    : ['Suggested reviewers are based on commits, because the authors of the lines are not known here'];
  return { involved, notes };
}

/** The ranges of lines of the base that the change replaces or removes. */
function goneLines({ hunks }: ChangedFile): LineRange[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { lines } of hunks)
    for (const { kind, oldLine } of lines) {
      if (kind !== 'removed') continue;
      const last = ranges.at(-1);
      if (last?.end === oldLine! - 1) last.end = oldLine!;
      else ranges.push({ start: oldLine!, end: oldLine! });
    }
  return ranges;
}

/** The files of which a change replaces or removes the most lines. */
export function mostReplaced({ files }: Change, max: number): ChangedFile[] {
  return files
    .filter(({ oldPath, missing }) => oldPath !== null && missing === null)
    .map((file) => ({ file, removed: countLines(file).removed }))
    .filter(({ removed }) => removed > 0)
    .sort((a, b) => b.removed - a.removed)
    .slice(0, max)
    .map(({ file }) => file);
}

async function authorsOfChangedLines(change: Change, { repository, base }: InvolvedRequest) {
  const end = performance.now() + blameMs;
  const found = new Map<string, { author: Author; lines: number }>();
  let total = 0;
  for (const file of mostReplaced(change, maxBlamed)) {
    const left = end - performance.now();
    if (left <= 0) break;
    const { authors, asked } = await authorsOfLines(repository, base, file.oldPath!, goneLines(file), left);
    total += asked;
    for (const { author, lines } of authors) {
      const known = found.get(keyOf(author)) ?? { author, lines: 0 };
      known.lines += lines;
      found.set(keyOf(author), known);
    }
  }
  return { lines: [...found.values()] as AuthoredLines[], total };
}

const keyOf = ({ name, email }: Author) => `${email.toLowerCase()}\0${name}`;

function distinct(authors: readonly Author[]): Author[] {
  return [...new Map(authors.map((author) => [keyOf(author), author])).values()].slice(0, maxPeople);
}

function countCommits(authors: readonly Author[]): { author: Author; commits: number }[] {
  return [...Map.groupBy(authors, keyOf).values()]
    .map((own) => ({ author: own[0]!, commits: own.length }))
    .sort((a, b) => b.commits - a.commits);
}

/** The nearest existing folders of new files. Not the root, because everybody changes that. */
function foldersOfNew({ files }: Change, paths: ReadonlySet<string>): string[] {
  const existing = new Set<string>();
  for (const file of paths)
    for (let folder = path.posix.dirname(file); folder !== '.' && !existing.has(folder); ) {
      existing.add(folder);
      folder = path.posix.dirname(folder);
    }
  const folders = new Set<string>();
  for (const { path: file } of files) {
    let folder = path.posix.dirname(file);
    while (folder !== '.' && !existing.has(folder)) folder = path.posix.dirname(folder);
    if (folder !== '.') folders.add(folder);
  }
  return [...folders].slice(0, maxFolders);
}

/** The owners of files of the change, by the CODEOWNERS of the base. */
async function ownersOf(
  { files }: Change,
  { repository, base, paths, dialect }: InvolvedRequest,
): Promise<Involved['owners']> {
  const places = dialect === undefined ? Object.values(ownersFiles).flat() : ownersFiles[dialect];
  const present = places.filter((each) => paths.has(each));
  const text = await findOwners(repository, base, present);
  if (typeof text !== 'string') return [];
  const of = readOwners(text, dialect ?? guessDialect(paths, text));
  const counts = new Map<string, number>();
  for (const { path: file } of files.slice(0, maxOwned))
    for (const owner of of(file)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts]
    .map(([owner, owned]) => ({ owner, files: owned }))
    .sort((a, b) => b.files - a.files)
    .slice(0, maxPeople);
}
