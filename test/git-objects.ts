import { hash } from 'node:crypto';
import { appendFile, lstat, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** Writes the files of `git init`, without the example hooks: starting Git for it takes a hundred times as long. */
export async function initRepository(gitFolder: string, { isBare = false } = {}): Promise<void> {
  const folders = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'hooks', 'info'];
  await Promise.all(folders.map((folder) => mkdir(path.join(gitFolder, folder), { recursive: true })));
  await writeFile(path.join(gitFolder, 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(path.join(gitFolder, 'config'), configuration(isBare));
}

const configuration = (isBare: boolean) =>
  `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${isBare}\n${isBare ? '' : '\tlogallrefupdates = true\n'}`;

/** The commit of a ref, if the ref is in its own file; otherwise undefined. */
export async function readRef(gitFolder: string, ref: string): Promise<string | undefined> {
  const text = await readFile(path.join(gitFolder, ref), 'latin1').catch(() => '');
  return /^[0-9a-f]{40,64}(?=\n$)/.exec(text)?.[0];
}

export async function writeRef(gitFolder: string, ref: string, commit: string): Promise<void> {
  const file = path.join(gitFolder, ref);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${commit}\n`);
}

/** The branch and commit that are checked out; the commit is undefined if the branch is not in its own file. */
export async function readHead(gitFolder: string): Promise<{ branch: string; commit: string | undefined }> {
  const head = await readFile(path.join(gitFolder, 'HEAD'), 'utf8').catch(() => '');
  const [, branch = ''] = /^ref: (refs\/heads\/\S+)\n$/.exec(head) ?? [];
  return { branch, commit: branch === '' ? undefined : await readRef(gitFolder, branch) };
}

interface Entry {
  readonly name: string;
  readonly mode: string;
  readonly id: string;
  readonly stats: Stats;
}

type Stats = Awaited<ReturnType<typeof bigStats>>;
const bigStats = (file: string) => lstat(file, { bigint: true });

/** With more or larger files, Git is used. */
const maxFiles = 200;
const maxFileBytes = 1024 * 1024;

/** Files that change how Git reads a working copy, and repositories within it. */
const special = /^\.git(?:ignore|attributes|modules)?$/i;

/** The files of a working copy in the order of its index; undefined if there is anything that only Git can handle. */
async function filesIn(folder: string): Promise<string[] | undefined> {
  const found: string[] = [];
  const list = async (under: string): Promise<boolean> => {
    const entries = await readdir(path.join(folder, under), { withFileTypes: true, encoding: 'buffer' });
    for (const entry of entries) {
      const name = entry.name.toString();
      if (under === '' && name === '.git') continue;
      // Names that are not valid UTF-8, and files that configure Git.
      if (!Buffer.from(name).equals(entry.name) || special.test(name)) return false;
      if (entry.isDirectory()) {
        if (!(await list(`${under}${name}/`))) return false;
      } else if (entry.isFile() || entry.isSymbolicLink()) found.push(under + name);
      else return false;
      if (found.length > maxFiles) return false;
    }
    return true;
  };
  if (!(await list(''))) return undefined;
  return found
    .map((name) => ({ name, bytes: Buffer.from(name) }))
    .sort((one, other) => one.bytes.compare(other.bytes))
    .map(({ name }) => name);
}

/** Whether the index contains only plain files: no submodules, conflicts, or entries with flags such as assume-unchanged. */
function isPlainIndex(index: Buffer): boolean {
  if (index.toString('latin1', 0, 4) !== 'DIRC' || index.readUInt32BE(4) !== 2) return false;
  let at = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const mode = index.readUInt32BE(at + 24).toString(8);
    const flags = index.readUInt16BE(at + 60);
    if (!['100644', '100755', '120000'].includes(mode) || (flags & 0xf000) !== 0) return false;
    const length = flags & 0xfff;
    if (length === 0xfff) return false;
    at += Math.floor((62 + length) / 8) * 8 + 8;
  }
  return true;
}

/** Files of operations in progress, during which a commit would do more than usual. */
const underWay = [
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'rebase-merge',
  'rebase-apply',
  'index.lock',
  'config.worktree',
  'info/exclude',
  'info/attributes',
  'info/grafts',
  'shallow',
];

async function isOrdinary(gitFolder: string): Promise<boolean> {
  const text = await readFile(path.join(gitFolder, 'config'), 'utf8').catch(() => '');
  if (text !== configuration(false)) return false;
  const names = [
    ...(await readdir(gitFolder)),
    ...(await readdir(path.join(gitFolder, 'info'))).map((name) => `info/${name}`),
  ];
  if (underWay.some((name) => names.includes(name))) return false;
  if ((await readdir(path.join(gitFolder, 'hooks'))).length > 0) return false;
  const index = names.includes('index') ? await readFile(path.join(gitFolder, 'index')) : undefined;
  return index === undefined || isPlainIndex(index);
}

/** Writes an object unless it exists, and returns its id. */
async function writeObject(gitFolder: string, kind: string, content: Buffer): Promise<string> {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = hash('sha1', bytes);
  const folder = path.join(gitFolder, 'objects', id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, id.slice(2)), deflateSync(bytes, { level: 1 }), {
    flag: 'wx',
    mode: 0o444,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return id;
}

async function entryOf(folder: string, name: string): Promise<Entry | undefined> {
  const file = path.join(folder, name);
  const stats = await bigStats(file);
  if (stats.size > maxFileBytes) return undefined;
  const isLink = stats.isSymbolicLink();
  const content = isLink ? await readlink(file, { encoding: 'buffer' }) : await readFile(file);
  const mode = isLink ? '120000' : (stats.mode & 0o100n) === 0n ? '100644' : '100755';
  return { name, mode, stats, id: await writeObject(path.join(folder, '.git'), 'blob', content) };
}

async function writeTree(gitFolder: string, entries: readonly Entry[], under: string): Promise<string> {
  const folders = new Map<string, Entry[]>();
  const lines: { readonly key: Buffer; readonly line: Buffer }[] = [];
  const add = (name: string, mode: string, id: string) =>
    lines.push({
      // Git sorts a folder as if its name ended in a slash.
      key: Buffer.from(mode === '40000' ? `${name}/` : name),
      line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
    });
  for (const entry of entries) {
    const [name, ...rest] = entry.name.slice(under.length).split('/') as [string, ...string[]];
    if (rest.length === 0) add(name, entry.mode, entry.id);
    else folders.set(name, [...(folders.get(name) ?? []), entry]);
  }
  for (const [name, inside] of folders)
    add(name, '40000', await writeTree(gitFolder, inside, `${under}${name}/`));
  lines.sort((one, other) => one.key.compare(other.key));
  return writeObject(gitFolder, 'tree', Buffer.concat(lines.map(({ line }) => line)));
}

/** Writes the index as Git would after this commit, so that Git takes no file for a changed one. */
async function writeIndex(gitFolder: string, entries: readonly Entry[]): Promise<void> {
  const parts = [Buffer.from('DIRC'), uint32(2n), uint32(BigInt(entries.length))];
  for (const { name, mode, id, stats } of entries) {
    const second = 1_000_000_000n;
    const numbers = [
      stats.ctimeNs / second,
      stats.ctimeNs % second,
      stats.mtimeNs / second,
      stats.mtimeNs % second,
      stats.dev,
      stats.ino,
      BigInt(Number.parseInt(mode, 8)),
      stats.uid,
      stats.gid,
      stats.size,
    ];
    const bytes = Buffer.from(name);
    const flags = Buffer.alloc(2);
    flags.writeUInt16BE(Math.min(bytes.length, 0xfff));
    const end = Buffer.alloc(8 - ((62 + bytes.length) % 8));
    parts.push(...numbers.map(uint32), Buffer.from(id, 'hex'), flags, bytes, end);
  }
  const content = Buffer.concat(parts);
  await writeFile(
    path.join(gitFolder, 'index'),
    Buffer.concat([content, Buffer.from(hash('sha1', content), 'hex')]),
  );
}

function uint32(value: bigint): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Number(BigInt.asUintN(32, value)));
  return bytes;
}

/**
 * Commits everything in a working copy like `git add --all` and `git commit --allow-empty`, but without starting Git, because
 * tests create thousands of small repositories. Returns undefined, without any effect, if only Git can handle the working copy.
 */
export async function commitAll(
  folder: string,
  { who, message }: { readonly who: string; readonly message: string },
): Promise<string | undefined> {
  const gitFolder = path.join(folder, '.git');
  const { branch, commit: parent } = await readHead(gitFolder);
  if (branch === '' || !(await isOrdinary(gitFolder))) return undefined;
  if (parent === undefined && (await hasPackedRefs(gitFolder))) return undefined;
  const names = await filesIn(folder);
  if (names === undefined) return undefined;
  const entries = await Promise.all(names.map((name) => entryOf(folder, name)));
  if (!entries.every((entry) => entry !== undefined)) return undefined;
  const tree = await writeTree(gitFolder, entries, '');
  const at = `${who} ${Math.floor(Date.now() / 1000)} +0000`;
  const text = `tree ${tree}\n${parent === undefined ? '' : `parent ${parent}\n`}author ${at}\ncommitter ${at}\n\n${message}\n`;
  const commit = await writeObject(gitFolder, 'commit', Buffer.from(text));
  await writeIndex(gitFolder, entries);
  await writeRef(gitFolder, branch, commit);
  const how = parent === undefined ? 'commit (initial)' : 'commit';
  const noted = `${parent ?? '0'.repeat(40)} ${commit} ${at}\t${how}: ${message}\n`;
  for (const name of ['HEAD', branch]) {
    const log = path.join(gitFolder, 'logs', name);
    await mkdir(path.dirname(log), { recursive: true });
    await appendFile(log, noted);
  }
  return commit;
}

async function hasPackedRefs(gitFolder: string): Promise<boolean> {
  return (await readdir(gitFolder)).includes('packed-refs');
}
