/** A package with the version that a file pins. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly line: number;
  /** Undefined if the file does not say. */
  readonly isDirect?: boolean | undefined;
  /** As written in the file. */
  readonly licence?: string | undefined;
  /** The host that it is fetched from; undefined if the file does not say, or if it is part of the repository. */
  readonly host?: string | undefined;
  /** Undefined if no checksum is expected. */
  readonly hasChecksum?: boolean | undefined;
  /** Whether it runs a script when it is installed, according to the file. */
  readonly runsScript?: boolean | undefined;
}

/** A requirement of a manifest. */
export interface Requirement {
  readonly name: string;
  /** As written in the file; empty for any version. */
  readonly range: string;
  readonly line: number;
}

/** Whether a range names a part of the repository, which a lock file need not contain. */
export const isLocalRange = (range: string) => /^(?:file|link|portal|workspace|patch):/.test(range);

/** The requirements of a manifest when its lock file was made: ranges by name, null if only the name is known. */
export type AskedThen = ReadonlyMap<string, string | null>;

/** The contents of a manifest or lock file. */
export interface DependencyFile {
  readonly packages: readonly LockedPackage[];
  readonly requirements: readonly Requirement[];
  /**
   * Of a lock file that records them: the requirements of each manifest, by its folder relative to the lock file (empty for the
   * same).
   */
  readonly asked?: ReadonlyMap<string, AskedThen>;
  /** Of a lock file: the names that it resolves, or the names with ranges as `name@range`. */
  readonly answers?: ReadonlySet<string>;
  /** Names whose versions are overridden, so that ranges do not count. */
  readonly overridden?: ReadonlySet<string>;
  /** Of a manifest: names that it mentions without requiring them. */
  readonly mentioned?: ReadonlySet<string>;
  /** Of a manifest: the name of its own package. */
  readonly ownName?: string | undefined;
}

/** A file cannot be parsed; the message, for people, says why. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

export const nothingIn: DependencyFile = { packages: [], requirements: [] };
