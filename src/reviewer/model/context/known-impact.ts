import type { RelatedPlace } from '../../finding.ts';

/** The references to an altered symbol, as an earlier search of the repository found them. */
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

/** The results of that search that a model is shown: references to altered names, and to deleted files. */
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
 * The impact that belongs to one of several calls: that of the files that it shows. No call shows a file that only moved, so
 * its impact belongs to the first call.
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
