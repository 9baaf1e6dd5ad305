import type { RepositoryPlace } from '../../repository/repository.ts';
import { runGit } from '../../repository/run-git.ts';

/** A commit of the main line, with the paths that it changed there. */
export interface HistoryCommit {
  readonly id: string;
  /** The commit before it in the main line. */
  readonly parent: string;
  readonly title: string;
  readonly paths: readonly string[];
}

/** Older commits do not represent how people work today. */
const maxCommits = 20_000;

/** The first line of a commit in the output. No path in a repository starts with `//`. */
const header = /^\/\/([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*) ?\/\/(.*)$/s;

/** The commits of the main line (first parents), newest first; a merge has the paths of everything that it merged. */
export async function listCommits(
  { call }: RepositoryPlace,
  { since }: { readonly since?: string | undefined } = {},
): Promise<HistoryCommit[]> {
  const given = [
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--no-renames',
    '--name-only',
    '-z',
    `--max-count=${maxCommits}`,
    '--format=//%H %P//%s',
    ...(since === undefined ? [] : [`--since=${since}`]),
    'HEAD',
    '--',
  ];
  const answer = await runGit(given, { ...call, timeoutMs: 600_000, maxBytes: 1024 ** 3 });
  const found: (HistoryCommit & { readonly paths: string[] })[] = [];
  let isRoot = true;
  for (const entry of answer.toString().split('\0')) {
    const [, id, parents, title] = header.exec(entry) ?? [];
    if (id !== undefined) {
      const parent = parents!.trim().split(' ')[0]!;
      isRoot = parent === '';
      if (!isRoot) found.push({ id, parent, title: title!, paths: [] });
    } else if (!isRoot && entry !== '') found.at(-1)!.paths.push(entry.replace(/^\n/, ''));
  }
  return found;
}

/** Whether the repository is a shallow clone, with a truncated history. */
export async function isShallow({ call }: RepositoryPlace): Promise<boolean> {
  return (await runGit(['rev-parse', '--is-shallow-repository'], call)).toString().trim() === 'true';
}
