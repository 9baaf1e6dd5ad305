import { hash } from 'node:crypto';
import { type GitCall, runGit } from '../../../reviewer/repository/run-git.ts';

/** A file as it is in a commit, and its new contents. */
export interface ReplacedText {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The message, author and date of a commit. */
export interface CommitText {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  readonly at: Date;
}

/** Describes a commit that changes these files. */
export type DescribeCommit = (paths: ReadonlySet<string>) => CommitText;

export interface WrittenCommit {
  readonly commit: string;
  /** The files that the commit changes. */
  readonly paths: ReadonlySet<string>;
}

const isFile = (mode: string) => mode === '100644' || mode === '100755';

/** The id that Git gives to these contents; its hash function is recognized by the length of `id`. */
function idLike(id: string, text: string): string {
  const bytes = Buffer.from(text);
  return hash(
    id.length === 40 ? 'sha1' : 'sha256',
    Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]),
  );
}

/**
 * The files that are in the commit byte for byte as they were read, with their modes; leaves out links and files in other
 * encodings.
 */
async function findModes(
  call: GitCall,
  commit: string,
  texts: readonly ReplacedText[],
): Promise<Map<string, string>> {
  const before = new Map(texts.map((text) => [text.path, text.before]));
  const listed = await runGit(['ls-tree', '-z', commit, '--', ...before.keys()], {
    ...call,
    variables: { ...call.variables, GIT_LITERAL_PATHSPECS: '1' },
  });
  const modes = new Map<string, string>();
  for (const [, mode, id, path] of listed.toString().matchAll(/(\d+) blob ([0-9a-f]+)\t([^\0]+)\0/g)) {
    const known = before.get(path!);
    if (known !== undefined && isFile(mode!) && idLike(id!, known) === id) modes.set(path!, mode!);
  }
  return modes;
}

/** Quotes a path the way `git fast-import` expects it. */
const quoted = (path: string) =>
  `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** These characters would end a name in the input of `git fast-import`. */
const plainName = (text: string) => text.replaceAll(/[<>\n\0]/g, '');

function dataOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

/**
 * Creates a commit on top of another in which these files have new contents. Deterministic: the same input gives the same
 * commit. Files that are not exactly as they were read are left out; undefined if none remains. Only a ref of our own is
 * changed.
 */
export async function writeCommit(
  call: GitCall,
  parent: string,
  texts: readonly ReplacedText[],
  describe: DescribeCommit,
): Promise<WrittenCommit | undefined> {
  const modes = await findModes(call, parent, texts);
  if (modes.size === 0) return undefined;
  const paths = new Set(modes.keys());
  const { message, author, at } = describe(paths);
  const who = `${plainName(author.name)} <${plainName(author.email)}> ${Math.floor(at.getTime() / 1000)} +0000`;
  const head = `feature done\ncommit refs/postil/fixes/${parent}\nmark :1\nauthor ${who}\ncommitter ${who}\n`;
  const files = texts
    .filter(({ path }) => paths.has(path))
    .flatMap(({ path, after }) => [
      Buffer.from(`M ${modes.get(path)} inline ${quoted(path)}\n`),
      dataOf(after),
    ]);
  const input = [
    Buffer.from(head),
    dataOf(message),
    Buffer.from(`from ${parent}\n`),
    ...files,
    Buffer.from('\nget-mark :1\ndone\n'),
  ];
  const said = await runGit(
    ['fast-import', '--quiet', '--force', '--date-format=raw'],
    call,
    Buffer.concat(input),
  );
  return { commit: said.toString().trim(), paths };
}
