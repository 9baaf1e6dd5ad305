import { redactCredentials } from '../../../../redaction/redact-credentials.ts';
import type { TreeView } from '../../../repository/tree-view.ts';
import type { Ecosystem } from '../../../review-report.ts';
import type { DependencyFile, LockedPackage } from '../dependency-file.ts';
import type { FileKind } from '../dependency-file-kinds.ts';
import { DependencyTree, folderOf } from '../read-files.ts';

/** A package that a repository depends on, in one version. */
export interface HeldPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** The pinned version, or else the range that a manifest requires. */
  readonly version: string;
  readonly isFixed: boolean;
  readonly isDirect: boolean;
  readonly licence: string | null;
  /** The first file that names it. */
  readonly path: string;
}

export interface Inventory {
  readonly packages: readonly HeldPackage[];
  /** Sentences about what could not be read. */
  readonly notes: readonly string[];
}

/** The maximum number of manifests and lock files that are read per repository. */
export const maxFiles = 1_000;
const maxPackages = 50_000;
const maxNotes = 20;
const maxText = 300;

/** Lists the dependencies in all manifests and lock files of a commit, each version once. */
export async function listPackages(view: TreeView, deadline: AbortSignal): Promise<Inventory> {
  const tree = new DependencyTree(view);
  const all = await tree.files();
  const files = all.slice(0, maxFiles);
  const held = new Holding();
  const notes: string[] = [];
  if (all.length > files.length)
    notes.push(`Only ${maxFiles} of ${all.length} manifests and lock files were read`);
  const asked: AskedPackages[] = [];
  const locked: { readonly ecosystem: Ecosystem; readonly folder: string }[] = [];
  const isManifest = ({ kind }: { readonly kind: FileKind }) => kind.role === 'manifest';
  // Manifests are read first: they are small, and tell which packages in lock files are direct dependencies.
  for (const { path, kind } of files.filter(isManifest)) {
    const file = await tree.readOnce(path);
    if (file !== undefined) asked.push({ path, ecosystem: kind.ecosystem, file });
  }
  for (const { path, kind } of files.filter((file) => !isManifest(file))) {
    if (deadline.aborted || held.isFull) break;
    const file = await tree.readOnce(path);
    if (file === undefined || file.packages.length === 0) continue;
    const folder = folderOf(path);
    locked.push({ ecosystem: kind.ecosystem, folder });
    const direct = namesAskedFor(asked, kind.ecosystem, folder);
    for (const each of file.packages)
      held.add(kind.ecosystem, path, each, each.isDirect ?? direct.has(each.name), true);
  }
  for (const { path, ecosystem, file } of asked) {
    for (const each of file.packages) held.add(ecosystem, path, each, each.isDirect ?? true, true);
    const hasLock = locked.some((lock) => lock.ecosystem === ecosystem && isBelow(path, lock.folder));
    if (!hasLock)
      for (const { name, range } of file.requirements)
        held.add(ecosystem, path, { name, version: range }, true, false);
  }
  if (deadline.aborted) notes.push('Not all lock files were read: that took too long');
  if (held.isFull) notes.push(`Only the first ${maxPackages} packages were kept`);
  for (const [path, reason] of tree.faults) notes.push(`${path} was not read: ${reason}`);
  return { packages: held.packages(), notes: shortened(notes.map((note) => redactCredentials(note))) };
}

interface AskedPackages {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly file: DependencyFile;
}

const isBelow = (path: string, folder: string) => folder === '' || path.startsWith(`${folder}/`);

/** The names that the manifests of an ecosystem require, in a folder and below it. */
function namesAskedFor(asked: readonly AskedPackages[], ecosystem: Ecosystem, folder: string): Set<string> {
  const own = asked.filter((each) => each.ecosystem === ecosystem && isBelow(each.path, folder));
  return new Set(own.flatMap(({ file }) => file.requirements.map(({ name }) => name)));
}

function shortened(notes: readonly string[]): string[] {
  if (notes.length <= maxNotes) return [...notes];
  return [...notes.slice(0, maxNotes - 1), `and ${notes.length - maxNotes + 1} more`];
}

/** Collects packages by ecosystem, name and version, and merges what several files say about one. */
class Holding {
  readonly #held = new Map<string, HeldPackage>();

  get isFull(): boolean {
    return this.#held.size >= maxPackages;
  }

  add(
    ecosystem: Ecosystem,
    path: string,
    { name, version, licence }: Pick<LockedPackage, 'name' | 'version' | 'licence'>,
    isDirect: boolean,
    isFixed: boolean,
  ): void {
    if (name === '' || name.length > maxText || version.length > maxText) return;
    const key = `${ecosystem}\0${name}\0${version}`;
    const known = this.#held.get(key);
    if (known === undefined && this.isFull) return;
    this.#held.set(key, {
      ecosystem,
      name,
      version,
      isFixed: isFixed || known?.isFixed === true,
      isDirect: isDirect || known?.isDirect === true,
      licence: known?.licence ?? licence?.slice(0, maxText) ?? null,
      path: known?.path ?? path,
    });
  }

  /** Returns the packages, with credentials in names, versions and paths redacted. */
  packages(): HeldPackage[] {
    const all = [...this.#held.values()];
    const texts = all.map(({ name, version, path }) => `${name}\n${version}\n${path}`).join('\n');
    if (redactCredentials(texts) === texts) return all;
    const redacted = new Map<string, HeldPackage>();
    for (const each of all) {
      const shown = {
        ...each,
        name: redactCredentials(each.name),
        version: redactCredentials(each.version),
        path: redactCredentials(each.path),
      };
      redacted.set(`${shown.ecosystem}\0${shown.name}\0${shown.version}`, shown);
    }
    return [...redacted.values()];
  }
}
