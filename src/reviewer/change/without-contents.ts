import { findMissing } from '../repository/describe-objects.ts';
import { decodeFileName } from '../repository/file-name.ts';
import type { RepositoryPlace } from '../repository/repository.ts';
import { runGit } from '../repository/run-git.ts';
import type { FileSection } from './file-sections.ts';

const kinds: Readonly<Record<string, FileSection['kind']>> = { A: 'added', D: 'deleted', R: 'renamed' };

/** A file of a change, and the ids of the blobs that are needed to compare it. */
interface RawFile {
  readonly section: FileSection;
  readonly ids: readonly string[];
}

/**
 * Lists the changed files from the trees alone, for a repository in which some blobs are missing, such as a partial clone.
 * Returns the paths of files that can be compared, and sections without hunks for the others.
 */
export async function listWithoutContents(
  repository: RepositoryPlace,
  {
    base,
    head,
    paths = [],
  }: { readonly base: string; readonly head: string | null; readonly paths?: readonly string[] | undefined },
): Promise<{ readonly readable: readonly string[]; readonly unreadable: readonly FileSection[] }> {
  const revisions = head === null ? [base] : [base, head];
  // Finding renames that are not exact would need the contents.
  const how = ['--raw', '-z', '--no-abbrev', '--find-renames=100%', '--ignore-submodules=dirty'];
  const variables = { ...repository.call.variables, GIT_LITERAL_PATHSPECS: '1' };
  const answer = await runGit(['diff', ...how, ...revisions, '--', ...paths], {
    ...repository.call,
    variables,
  });
  const files = readRaw(answer);
  const missing = new Set(await findMissing(repository, [...new Set(files.flatMap(({ ids }) => ids))]));
  const isReadable = ({ ids }: RawFile) => !ids.some((id) => missing.has(id));
  const readable = files
    .filter(isReadable)
    .flatMap(({ section: { path, oldPath } }) => [oldPath ?? path, path]);
  const unreadable = files.filter((file) => !isReadable(file)).map(({ section }) => section);
  return { readable: [...new Set(readable)], unreadable };
}

/** Parses `:mode mode id id status NUL path NUL`; a rename has a second path. */
function readRaw(answer: Buffer): RawFile[] {
  const fields = answer
    .toString('latin1')
    .split('\0')
    .slice(0, -1)
    .map((field) => Buffer.from(field, 'latin1'));
  const files: RawFile[] = [];
  for (let next = 0; next < fields.length; ) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] =
      fields[next++]!.toString().split(' ');
    const kind = kinds[status[0] ?? ''] ?? 'modified';
    const first = decodeFileName(fields[next++]!);
    const path = kind === 'renamed' ? decodeFileName(fields[next++]!) : first;
    const oldPath = kind === 'added' ? null : first;
    // The id of a submodule is a commit of another repository.
    const sides = [
      [oldMode, oldId],
      [newMode, newId],
    ] as const;
    const ids = sides.flatMap(([mode, id]) => (mode.endsWith('160000') || /^0+$/.test(id) ? [] : [id]));
    files.push({ section: { path, oldPath, kind, missing: 'content_missing', hunks: [] }, ids });
  }
  return files;
}
