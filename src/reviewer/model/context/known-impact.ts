import type { RelatedPlace } from '../../finding.ts';

/** Who uses something that the change alters, as an earlier look found out. */
export interface KnownImpact {
  readonly symbol: string;
  /** The file that the change alters. */
  readonly path: string;
  readonly references: readonly {
    readonly path: string;
    readonly line: number;
    readonly state: 'updated' | 'fits' | 'broken' | 'unknown';
  }[];
}

/** What a look into the repository came to, as far as a model is to be shown it: names that altered, and files that are gone. */
export function knownImpact(
  impact: readonly KnownImpact[],
  findings: readonly {
    readonly rule: string;
    readonly path: string;
    readonly related: readonly RelatedPlace[];
  }[],
): KnownImpact[] {
  const lost = findings
    .filter(({ rule }) => rule === 'references/missing-file')
    .map(({ path, related }) => ({
      symbol: path,
      path,
      references: related.map((each) => ({
        path: each.path,
        line: each.startLine,
        state: 'broken' as const,
      })),
    }));
  return [...lost, ...impact];
}

/**
 * What belongs to one call of several: what the files alter that it shows. A file that only moved is shown by none, so that
 * what it breaks goes with the first.
 */
export function impactFor(
  known: readonly KnownImpact[],
  shown: readonly { readonly path: string }[],
  files: readonly string[],
): KnownImpact[] {
  const own = new Set(shown.map(({ path }) => path));
  const all = new Set(files);
  const isFirst = own.has(files[0]!);
  return known.filter(({ path }) => own.has(path) || (isFirst && !all.has(path)));
}
