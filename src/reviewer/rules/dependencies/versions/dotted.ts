/** A part of a version. Versions are compared part by part; missing parts at the end are undefined. */
type Piece = number | string;

function compareWith(
  a: string,
  b: string,
  split: (version: string) => Piece[],
  rankOf: (piece: Piece | undefined) => number,
): number {
  const [left, right] = [split(a), split(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    const [rank, otherRank] = [rankOf(one), rankOf(other)];
    if (rank !== otherRank) return rank < otherRank ? -1 : 1;
    if (typeof one === 'string' && typeof other === 'string' && one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

const pieces = (version: string, pattern: RegExp): Piece[] =>
  (version.toLowerCase().match(pattern) ?? []).map((piece) => (/^\d/.test(piece) ? Number(piece) : piece));

/** Compares versions as RubyGems does: words come before any number, and zeros at the end do not count. */
export function compareGems(a: string, b: string): number {
  return compareWith(
    a,
    b,
    (version) => pieces(version.replaceAll('-', '.pre.'), /\d+|[a-z]+/g),
    (piece) => (typeof piece === 'string' ? -1 : (piece ?? 0)),
  );
}

/** Qualifiers of versions in their order. The empty one is the release. */
const stages = ['dev', 'alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];
const shortStages: Readonly<Record<string, string>> = {
  a: 'alpha',
  b: 'beta',
  m: 'milestone',
  cr: 'rc',
  ga: '',
  final: '',
  release: '',
  stable: '',
  patch: 'sp',
  pl: 'sp',
  p: 'sp',
};
const release = stages.indexOf('');

/**
 * Compares versions as Maven does: known qualifiers have a rank, unknown ones come after them, and numbers after all qualifiers.
 */
export function compareMaven(a: string, b: string): number {
  return compareWith(
    a,
    b,
    (version) =>
      pieces(version, /\d+|[a-z]+/g).map((piece) =>
        typeof piece === 'string' ? (shortStages[piece] ?? piece) : piece,
      ),
    (piece) => {
      if (typeof piece === 'number') return piece === 0 ? release : 100 + piece;
      const stage = stages.indexOf(piece ?? '');
      return stage === -1 ? stages.length : stage;
    },
  );
}

/** Compares versions as Composer does; a branch such as `dev-main` comes before any version. */
export function comparePackagist(a: string, b: string): number {
  const [one, other] = [a, b].map((version) => version.replace(/^v(?=\d)/i, '').replace(/\+.*$/, '')) as [
    string,
    string,
  ];
  const isBranch = (version: string) => !/^\d/.test(version);
  if (isBranch(one) || isBranch(other)) return Number(isBranch(other)) - Number(isBranch(one));
  return compareMaven(one, other);
}
