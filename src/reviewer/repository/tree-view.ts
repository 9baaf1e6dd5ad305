import { isUtf8 } from 'node:buffer';
import { findMissing } from './describe-objects.ts';
import { decodeFileName } from './file-name.ts';
import { decodeText, maxTextBytes, readWorkingFile } from './file-text.ts';
import { createBlobReader } from './read-blobs.ts';
import type { RepositoryPlace } from './repository.ts';
import { endOf, GitError, runGit, startGit } from './run-git.ts';

/** A place of a word. */
export interface WordPlace {
  readonly path: string;
  readonly line: number;
  readonly word: string;
}

export interface FoundWords {
  readonly places: readonly WordPlace[];
  /** False if the search was cut off: then nothing follows from places that are missing. */
  readonly isWhole: boolean;
}

/** A line that contains a text. */
export interface FoundLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface FoundLines {
  readonly lines: readonly FoundLine[];
  readonly isWhole: boolean;
}

/** How to search for texts: as whole words or anywhere, and in which files. */
export interface TextSearch {
  readonly asWords?: boolean;
  readonly ignoresCase?: boolean;
  readonly pathspecs?: readonly string[];
}

/**
 * One side of a change: the files of a commit, or of a working copy. There is no index: Git answers every query directly, so
 * that the cost depends on the change, and nothing has to be kept up to date.
 */
export interface TreeView {
  /** A commit; null for the working copy. */
  readonly revision: string | null;
  /** The paths of all files, without links, submodules and ignored files. */
  paths(): Promise<ReadonlySet<string>>;
  /** The paths of links and submodules; files behind them may exist although they are not among the paths. */
  links(): Promise<ReadonlySet<string>>;
  /** The paths of files whose contents are missing locally, as in a partial clone. */
  missing(): Promise<readonly string[]>;
  /** The text of a file; undefined if it does not exist, is too large, is not text, or is missing locally. */
  read(path: string, maxBytes?: number): Promise<string | undefined>;
  /** Finds the words, as whole words, in files whose paths match one of the pathspecs; without pathspecs, in all files. */
  findWords(words: readonly string[], pathspecs?: readonly string[]): Promise<FoundWords>;
  /** The lines that contain any of the texts. */
  findLines(texts: readonly string[], how?: TextSearch): Promise<FoundLines>;
  close(): Promise<void>;
}

const listTimeoutMs = 60_000;
const searchTimeoutMs = 30_000;
const maxSearchBytes = 16 * 1024 * 1024;
const regularFile = /^100/;
/** In place of an id: the file is read from the working copy. */
const onDisk = '';
const untracked = (revision: string | null) => (revision === null ? ['--untracked'] : []);

/** The tree of a commit, or of the working copy if the revision is null. */
export function openTree(repository: RepositoryPlace, revision: string | null): TreeView {
  const { call, root } = repository;
  const blobs = createBlobReader(call);
  let listed: Promise<Listing> | undefined;
  let linked: Promise<ReadonlySet<string>> | undefined;
  const list = () => {
    listed ??= revision === null ? listWorkingCopy(repository) : keptListing(repository, revision);
    return listed;
  };
  async function searchAll(texts: readonly string[], how: readonly string[], pathspecs: readonly string[]) {
    const here = await search(repository, revision, [...how, ...untracked(revision)], texts, pathspecs);
    const { ids, isSparse } = await list();
    if (!isSparse) return here;
    const index = await search(repository, null, [...how, '--cached'], texts, pathspecs);
    const elsewhere = index.found.filter(({ path }) => (ids.get(path) ?? onDisk) !== onDisk);
    return { found: [...here.found, ...elsewhere], isWhole: here.isWhole && index.isWhole };
  }
  return {
    revision,
    paths: async () => (await list()).paths,
    links: () => (linked ??= listLinks(repository, revision)),
    async missing() {
      const { ids } = await list();
      const known = new Set(ids.values());
      known.delete(onDisk);
      const missing = new Set(await findMissing(repository, [...known]));
      return missing.size === 0 ? [] : [...ids].filter(([, id]) => missing.has(id)).map(([path]) => path);
    },
    async read(path, maxBytes = maxTextBytes) {
      const id = (await list()).ids.get(path);
      if (id === undefined) return undefined;
      return decodeText(
        id === onDisk ? await readWorkingFile(root!, path, maxBytes) : await blobs.read(id, maxBytes),
      );
    },
    async findWords(words, pathspecs = []) {
      if (words.length === 0) return { places: [], isWhole: true };
      const { found, isWhole } = await searchAll(words, ['-o', '-w'], pathspecs);
      return { places: found.map(({ path, line, text }) => ({ path, line, word: text })), isWhole };
    },
    async findLines(texts, { asWords = false, ignoresCase = false, pathspecs = [] } = {}) {
      const wanted = texts.filter((text) => text !== '' && !/[\n\0]/.test(text));
      if (wanted.length === 0) return { lines: [], isWhole: true };
      const how = [...(asWords ? ['-w'] : []), ...(ignoresCase ? ['-i'] : [])];
      const { found, isWhole } = await searchAll(wanted, how, pathspecs);
      return { lines: found, isWhole };
    },
    close: () => blobs.close(),
  };
}

async function namesOf(repository: RepositoryPlace, given: readonly string[]): Promise<string[]> {
  const answer = await runGit(given, { ...repository.call, timeoutMs: listTimeoutMs });
  // A fast path, because there may be very many names.
  if (isUtf8(answer)) return answer.toString().split('\0').slice(0, -1);
  const names: string[] = [];
  for (let start = 0; start < answer.length; ) {
    const end = answer.indexOf(0, start);
    names.push(decodeFileName(answer.subarray(start, end)));
    start = end + 1;
  }
  return names;
}

/** The ids of the files of a commit by their paths. */
export async function listFiles(
  repository: RepositoryPlace,
  commit: string,
): Promise<ReadonlyMap<string, string>> {
  return (await keptListing(repository, commit)).ids;
}

async function listCommit(
  repository: RepositoryPlace,
  revision: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await namesOf(repository, ['ls-tree', '-r', '-z', '--full-tree', revision])) {
    const tab = entry.indexOf('\t');
    const [mode = '', , id = ''] = entry.slice(0, tab).split(' ');
    if (regularFile.test(mode)) found.set(entry.slice(tab + 1), id);
  }
  return found;
}

async function listLinks(repository: RepositoryPlace, revision: string | null): Promise<ReadonlySet<string>> {
  const given =
    revision === null
      ? ['ls-files', '-z', '--stage', '--full-name']
      : ['ls-tree', '-r', '-z', '--full-tree', revision];
  const entries = await namesOf(repository, given);
  return new Set(
    entries.filter((entry) => !regularFile.test(entry)).map((entry) => entry.slice(entry.indexOf('\t') + 1)),
  );
}

interface Listing {
  readonly ids: ReadonlyMap<string, string>;
  readonly paths: ReadonlySet<string>;
  /** Whether some files of the working copy are only in its index, because of a sparse checkout. */
  readonly isSparse: boolean;
}

/** Enough for both sides of a change. */
const maxListings = 2;
const listings = new Map<string, Promise<Listing>>();

/** Cached, because the content of a commit never changes, and consecutive parts of a review list the same commits. */
function keptListing(repository: RepositoryPlace, commit: string): Promise<Listing> {
  const key = `${repository.call.variables?.GIT_DIR ?? repository.call.folder}\0${commit}`;
  const listing = listings.get(key) ?? listCommit(repository, commit).then((ids) => asListing(ids));
  listings.delete(key);
  listings.set(key, listing);
  listing.catch(() => listings.delete(key));
  for (const oldest of listings.keys()) if (listings.size > maxListings) listings.delete(oldest);
  return listing;
}

const asListing = (ids: ReadonlyMap<string, string>, isSparse = false): Listing => ({
  ids,
  paths: new Set(ids.keys()),
  isSparse,
});

/** Files of the working copy are read from disk; only those that a sparse checkout leaves out have an id. */
async function listWorkingCopy(repository: RepositoryPlace): Promise<Listing> {
  const found = new Map<string, string>();
  let isSparse = false;
  for (const entry of await namesOf(repository, ['ls-files', '-z', '-t', '--stage', '--full-name'])) {
    const tab = entry.indexOf('\t');
    const [tag, mode = '', id = ''] = entry.slice(0, tab).split(' ');
    if (!regularFile.test(mode)) continue;
    isSparse ||= tag === 'S';
    found.set(entry.slice(tab + 1), tag === 'S' ? id : onDisk);
  }
  for (const path of await namesOf(repository, ['ls-files', '-z', '--deleted', '--full-name']))
    found.delete(path);
  const others = ['ls-files', '-z', '--others', '--exclude-standard', '--full-name'];
  for (const path of await namesOf(repository, others)) if (!path.endsWith('/')) found.set(path, onDisk);
  return asListing(found, isSparse);
}

/** An extended regular expression that matches exactly the text. */
const asPattern = (text: string) => text.replace(/[.*+?^$()|[\\{]/g, '\\$&');

/**
 * A single search for all texts. They are passed by standard input, because the length of command lines is limited, and as one
 * regular expression, because Git is a thousand times slower with hundreds of fixed words.
 */
async function search(
  { call }: RepositoryPlace,
  revision: string | null,
  how: readonly string[],
  texts: readonly string[],
  pathspecs: readonly string[],
): Promise<{ readonly found: FoundLine[]; readonly isWhole: boolean }> {
  const given = ['grep', '-z', '-n', '-E', '-I', '--full-name', '--no-recurse-submodules', ...how];
  const limited = { ...call, timeoutMs: searchTimeoutMs };
  const child = startGit(
    [...given, '-f', '-', ...(revision === null ? [] : [revision]), '--', ...pathspecs],
    limited,
  );
  child.stdin.on('error', () => {}).end(`(${texts.map(asPattern).join('|')})\n`);
  const ended = endOf(child, limited);
  ended.catch(() => {});
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maxSearchBytes) child.kill('SIGKILL');
  }
  const isWhole = length <= maxSearchBytes && (await hasEndedWell(ended));
  return { found: readFound(Buffer.concat(chunks), revision), isWhole };
}

/** Whether the result is complete. Git exits with 1 if it found nothing; errors and timeouts make the result incomplete. */
async function hasEndedWell(ended: Promise<void>): Promise<boolean> {
  try {
    await ended;
    return true;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.fault === 'failed' && error.message === '';
  }
}

/** Parses `revision:path NUL line NUL text LF`; the last one may be incomplete. */
function readFound(answer: Buffer, revision: string | null): FoundLine[] {
  const found: FoundLine[] = [];
  const prefix = revision === null ? 0 : revision.length + 1;
  for (let start = 0; ; ) {
    const pathEnd = answer.indexOf(0, start);
    const lineEnd = pathEnd === -1 ? -1 : answer.indexOf(0, pathEnd + 1);
    const end = lineEnd === -1 ? -1 : answer.indexOf(10, lineEnd + 1);
    if (end === -1) return found;
    found.push({
      path: decodeFileName(answer.subarray(start + prefix, pathEnd)),
      line: Number(answer.toString('latin1', pathEnd + 1, lineEnd)),
      text: answer.toString('utf8', lineEnd + 1, end),
    });
    start = end + 1;
  }
}
