/** One difference between two versions of an interface description. */
export interface Difference {
  readonly isBreaking: boolean;
  /** For people, such as `Order.note` was removed. The same in every copy of the description. */
  readonly message: string;
  readonly path: string;
  readonly side: 'new' | 'old';
  readonly line: number;
  /** Clients may receive something that they do not know yet; reported as a note. */
  readonly isNew?: true;
}

/** Where something is in one version. */
export interface Place {
  readonly path: string;
  readonly line: number;
}

export const breaking = (message: string, side: 'new' | 'old', { path, line }: Place): Difference => ({
  isBreaking: true,
  message,
  path,
  side,
  line,
});

export const compatible = (message: string, side: 'new' | 'old', { path, line }: Place): Difference => ({
  ...breaking(message, side, { path, line }),
  isBreaking: false,
});

/** The definitions of both versions of a file, by name. */
export interface FileDefinitions<Definition> {
  readonly before: ReadonlyMap<string, Definition>;
  readonly after: ReadonlyMap<string, Definition>;
}

/** Pairs each definition with its new version; one that moved to another file of the change is still the same. */
export function pairDefinitions<Definition>(
  files: readonly FileDefinitions<Definition>[],
): (readonly [before: Definition | undefined, after: Definition | undefined])[] {
  const arrivals = new Map<string, Definition>();
  for (const { before, after } of files)
    for (const [name, definition] of after) if (!before.has(name)) arrivals.set(name, definition);
  const moved = new Set<Definition>();
  const pairs = files.flatMap(({ before, after }) =>
    [...before].map(([name, old]): readonly [Definition, Definition | undefined] => {
      const arrived = after.has(name) ? undefined : arrivals.get(name);
      if (arrived !== undefined) moved.add(arrived);
      return [old, after.get(name) ?? arrived];
    }),
  );
  const added = [...arrivals.values()].filter((each) => !moved.has(each));
  return [...pairs, ...added.map((each) => [undefined, each] as const)];
}
