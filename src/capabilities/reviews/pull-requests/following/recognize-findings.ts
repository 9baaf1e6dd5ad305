import { hash } from 'node:crypto';
import type { Finding } from '../../../../reviewer/finding.ts';
import { kindOf } from '../../../../reviewer/judge/identity.ts';
import type { KnownFinding } from './known-finding.ts';

/** A place in the head that was last reviewed. */
export interface FormerPlace {
  readonly head: string;
  readonly path: string;
  readonly line: number;
}

export interface Recognition {
  readonly known: readonly KnownFinding[];
  /** Where the first line of a finding stood in the head that was last reviewed; null if it was not there, or nobody knows. */
  formerPlaceOf(finding: Finding): FormerPlace | null;
  /** Whether its file was not looked at again, so that it cannot be among what was found. */
  isCarried(known: KnownFinding): boolean;
  readonly lineageOf: (finding: Finding) => string;
}

type IsSame = (finding: Finding, known: KnownFinding) => boolean;

const bare = (text: string) => text.replaceAll(/\s+/g, '');

/**
 * Gives findings the identity of the known ones that they repeat. What they are about decides, from the most certain sign to
 * the least: the same line, the same identity, the same text in the same function, in the same file, and in another file
 * where the known one is gone. So neither a renamed function nor a copy of a line above makes a known finding look new.
 */
export function recognizeFindings(found: readonly Finding[], recognition: Recognition): Finding[] {
  const { formerPlaceOf, isCarried, lineageOf } = recognition;
  const places = new Map(found.map((finding) => [finding, formerPlaceOf(finding)]));
  const isThere: IsSame = (finding, known) => {
    const place = places.get(finding);
    return (
      place != null &&
      place.head === known.headRevision &&
      place.path === known.path &&
      place.line === known.startLine &&
      finding.side === known.side
    );
  };
  const hasText: IsSame = (finding, known) => bare(known.quote) === bare(finding.quote);
  const isInFile: IsSame = (finding, known) => known.lineage === lineageOf(finding);
  const signs: readonly IsSame[] = [
    (finding, known) => isThere(finding, known) && known.title === finding.title,
    isThere,
    (finding, known) => known.identity === finding.identity,
    (finding, known) =>
      isInFile(finding, known) && hasText(finding, known) && known.symbol === finding.symbol,
    (finding, known) => isInFile(finding, known) && hasText(finding, known),
    (finding, known) => bare(finding.quote) !== '' && hasText(finding, known),
  ];
  const free = new Set(recognition.known.filter((known) => !isCarried(known)));
  const names = new Map<Finding, string>();
  // What is open now rather than what was once.
  const openFirst = recognition.known.toSorted(
    (a, b) => Number(b.state === 'open') - Number(a.state === 'open'),
  );
  const byKind = Map.groupBy(openFirst, kindOf);
  for (const isSame of signs)
    for (const finding of found) {
      if (names.has(finding)) continue;
      const known = byKind.get(kindOf(finding))?.find((one) => free.has(one) && isSame(finding, one));
      if (known === undefined) continue;
      free.delete(known);
      names.set(finding, known.identity);
    }
  return nameAll(found, names, new Set(recognition.known.map(({ identity }) => identity)));
}

/** What is new keeps its own identity, unless a known finding that it is not has it. */
function nameAll(
  found: readonly Finding[],
  names: ReadonlyMap<Finding, string>,
  taken: Set<string>,
): Finding[] {
  return found.map((finding) => {
    const known = names.get(finding);
    if (known !== undefined) return { ...finding, identity: known };
    let { identity } = finding;
    while (taken.has(identity)) identity = hash('sha256', `another ${identity}`).slice(0, 32);
    taken.add(identity);
    return { ...finding, identity };
  });
}
