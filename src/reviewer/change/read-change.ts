import { lstat } from 'node:fs/promises';
import { decodeFileName } from '../repository/file-name.ts';
import { decodeText, maxTextBytes, readWorkingFile, workingPath } from '../repository/file-text.ts';
import { createBlobReader } from '../repository/read-blobs.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { endOf, GitError, runGit, startGit } from '../repository/run-git.ts';
import type { Change, ChangedFile } from './change.ts';
import { type FileSection, readSection, splitSections } from './file-sections.ts';
import { addedLinesOf, hunkOfNewFile, undoHunks } from './hunks.ts';
import { findLargeTexts } from './large-texts.ts';
import { pathTest } from './select-paths.ts';
import { listWithoutContents } from './without-contents.ts';

/** With more untracked files than this, somebody probably forgot to ignore a folder. */
const maxUntracked = 3_000;

const comparison = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '-l1000',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--full-index',
  '--unified=3',
  '--inter-hunk-context=0',
  '--diff-algorithm=histogram',
];

export interface Comparison {
  /** A commit id. */
  readonly base: string;
  /** The id of a commit or tree; null for the working copy with everything that is not committed. */
  readonly head: string | null;
  /** Folders, files or globs; only files that match one of them are part of the change. */
  readonly selected?: readonly string[] | undefined;
  /** Only these files are compared, and renames are found among them alone; by default, all. */
  readonly paths?: readonly string[] | undefined;
}

/** Reads what differs between two commits, or between a commit and the working copy. */
export async function readChange(repository: RepositoryPlace, compared: Comparison): Promise<Change> {
  const { base, head, selected } = compared;
  const tests = (selected ?? ['.']).map(pathTest);
  const isSelected = (path: string) => tests.some((matches) => matches(path));
  const blobs = createBlobReader(repository.call);
  async function readNew(section: FileSection, id: string | undefined) {
    const here = head === null ? await readWorkingFile(repository.root!, section.path) : undefined;
    // A file that a sparse checkout leaves out is not in the working copy, but was not deleted.
    return here ?? readBlob(id);
  }
  async function readBlob(id: string | undefined): Promise<Buffer | undefined> {
    return id === undefined ? undefined : blobs.read(id, maxTextBytes);
  }
  // By path: Git lists a file that became a link, or the reverse, twice: first as deleted, then as added.
  const found = new Map<string, ChangedFile>();
  try {
    const binary = new Map<string, string | undefined>();
    for await (const { section, newId } of readAllSections(repository, compared))
      if (isSelected(section.path)) {
        if (section.missing === 'binary') binary.set(section.path, newId);
        found.set(
          section.path,
          changedFile(section, () => readNew(section, newId)),
        );
      }
    for (const path of await findLargeTexts(repository, head, binary))
      found.set(path, { ...found.get(path)!, missing: 'too_large' });
    if (head === null)
      for (const name of await listUntracked(repository))
        if (isSelected(name)) found.set(name, await untrackedFile(repository.root!, name));
  } catch (error) {
    await blobs.close();
    throw error;
  }
  const files = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { baseRevision: base, headRevision: head, files, close: () => blobs.close() };
}

/** In characters; every supported platform accepts command lines of this length. */
const maxArgumentsLength = 100_000;

/** Reads all sections. Files whose contents are missing locally are yielded without hunks, and the others are compared. */
async function* readAllSections(repository: RepositoryPlace, compared: Comparison) {
  try {
    yield* readSections(repository, compared);
  } catch (error) {
    if (!(error instanceof GitError) || error.fault !== 'failed') throw error;
    const { readable, unreadable } = await listWithoutContents(repository, compared);
    if (unreadable.length === 0) throw error;
    for (const paths of chunksOf(readable)) yield* readSections(repository, { ...compared, paths });
    for (const section of unreadable) yield { section, newId: undefined };
  }
}

function* chunksOf(names: readonly string[]): Generator<string[]> {
  let chunk: string[] = [];
  let length = 0;
  for (const name of names) {
    if (length > maxArgumentsLength) {
      yield chunk;
      [chunk, length] = [[], 0];
    }
    chunk.push(name);
    length += name.length + 1;
  }
  if (chunk.length > 0) yield chunk;
}

async function* readSections({ call: given }: RepositoryPlace, { base, head, paths = [] }: Comparison) {
  const call = { ...given, variables: { ...given.variables, GIT_LITERAL_PATHSPECS: '1' } };
  const child = startGit(
    ['diff', '--patch', ...comparison, base, ...(head === null ? [] : [head]), '--', ...paths],
    call,
  );
  child.stdin.on('error', () => {}).end();
  const ended = endOf(child, call);
  ended.catch(() => {});
  try {
    for await (const part of splitSections(child.stdout.setEncoding('utf8'))) {
      const section = readSection(part);
      // Git also lists files of which only the modification time differs.
      if (!part.text.includes('\n')) continue;
      const newId = /^index [0-9a-f]+\.\.([0-9a-f]+)/m.exec(part.text)?.[1];
      yield { section, newId };
    }
  } finally {
    child.kill('SIGKILL');
  }
  await ended;
}

function changedFile(section: FileSection, readNew: () => Promise<Buffer | undefined>): ChangedFile {
  const hasNewText = section.missing === null && section.kind !== 'deleted';
  const newText = async () => (hasNewText ? decodeText(await readNew()) : undefined);
  return {
    ...section,
    addedLines: addedLinesOf(section.hunks),
    newText,
    async oldText() {
      if (section.kind === 'added') return undefined;
      const text = section.kind === 'deleted' ? '' : await newText();
      return text === undefined || section.missing !== null ? undefined : undoHunks(text, section.hunks);
    },
  };
}

async function listUntracked({ call }: RepositoryPlace): Promise<string[]> {
  const listed = await runGit(['ls-files', '--others', '--exclude-standard', '-z'], call);
  const names = listed
    .toString('latin1')
    .split('\0')
    .map((name) => decodeFileName(Buffer.from(name, 'latin1')))
    .filter((name) => name !== '' && !name.endsWith('/'));
  if (names.length > maxUntracked)
    throw new GitError(
      'too_much',
      `${names.length} files are neither committed nor ignored: is a folder missing in .gitignore?`,
    );
  return names;
}

async function untrackedFile(root: string, name: string): Promise<ChangedFile> {
  const found = await lstat(await workingPath(root, name));
  const section = { path: name, oldPath: null, kind: 'added', missing: null, hunks: [] } as const;
  const without = (missing: ChangedFile['missing']) =>
    changedFile({ ...section, missing }, async () => undefined);
  if (found.isSymbolicLink()) return without('symbolic_link');
  if (found.size > maxTextBytes) return without('too_large');
  const bytes = await readWorkingFile(root, name);
  const text = decodeText(bytes);
  if (text === undefined) return without('binary');
  return changedFile({ ...section, hunks: hunkOfNewFile(text) }, async () => bytes);
}
