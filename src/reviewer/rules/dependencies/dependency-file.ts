/** A package at the version that a file fixes. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly line: number;
  /** Undefined where the file does not tell. */
  readonly isDirect?: boolean | undefined;
  /** As the file says it. */
  readonly licence?: string | undefined;
  /** The host that it is fetched from; undefined where the file does not tell, or it is part of the repository. */
  readonly host?: string | undefined;
  /** Undefined where none is to be expected. */
  readonly hasChecksum?: boolean | undefined;
  /** Whether it runs a script when it is installed, by the word of the file. */
  readonly runsScript?: boolean | undefined;
}

/** What a manifest asks for. */
export interface Requirement {
  readonly name: string;
  /** As it is written; empty for any version. */
  readonly range: string;
  readonly line: number;
}

/** What a manifest asked for when its lock file was made: ranges by names, null where only the name is known. */
export type AskedThen = ReadonlyMap<string, string | null>;

/** What a manifest or lock file says. */
export interface DependencyFile {
  readonly packages: readonly LockedPackage[];
  readonly requirements: readonly Requirement[];
  /** Of a lock file that knows: what each manifest asked for, by its folder from that of the lock file (empty for the same). */
  readonly asked?: ReadonlyMap<string, AskedThen>;
  /** Of a lock file: names, or names with ranges as `name@range`, that it has an answer for. */
  readonly answers?: ReadonlySet<string>;
  /** Of a manifest: names whose versions are decided elsewhere, so that ranges say nothing. */
  readonly overridden?: ReadonlySet<string>;
  /** Of a manifest: names that it mentions without asking for them. */
  readonly mentioned?: ReadonlySet<string>;
  /** Of a manifest: what it calls its own package. */
  readonly ownName?: string | undefined;
}

/** A file that cannot be read, with a reason for people. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export const nothingIn: DependencyFile = { packages: [], requirements: [] };
