import { hash } from 'node:crypto';
import type { Finding } from '../../../../reviewer/finding.ts';
import { kindOf } from '../../../../reviewer/judge/identity.ts';
import type { KnownFinding } from './known-finding.ts';

/** A place in the last reviewed head. */
export interface FormerPlace {
  readonly head: string;
  readonly path: string;
  readonly line: number;
}

export interface Recognition {
  readonly known: readonly KnownFinding[];
  /** The place of a finding's first line in the last reviewed head; null if the line was not there, or that is unknown. */
  formerPlaceOf(finding: Finding): FormerPlace | null;
  /** Whether its file was not reviewed again, so that it cannot be among the new findings. */
  isCarried(known: KnownFinding): boolean;
  readonly lineageOf: (finding: Finding) => string;
}

/** A key by which findings of one kind are matched; null if the finding has no such key. */
interface Sign {
  ofFound(finding: Finding): readonly unknown[] | null;
  ofKnown(known: KnownFinding): readonly unknown[];
}

const bare = (text: string) => text.replaceAll(/\s+/g, '');

/** The keys, from the most reliable to the least. */
function signsOf({ formerPlaceOf, lineageOf }: Recognition): Sign[] {
  const placeOf = (finding: Finding) => {
    const place = formerPlaceOf(finding);
    return place === null ? null : [place.head, place.path, place.line, finding.side];
  };
  const formerly = (known: KnownFinding) => [known.headRevision, known.path, known.startLine, known.side];
  return [
    {
      ofFound: (finding) => placeOf(finding)?.concat(finding.title) ?? null,
      ofKnown: (known) => [...formerly(known), known.title],
    },
    { ofFound: placeOf, ofKnown: formerly },
    { ofFound: ({ identity }) => [identity], ofKnown: ({ identity }) => [identity] },
    {
      ofFound: (finding) => [lineageOf(finding), bare(finding.quote), finding.symbol],
      ofKnown: ({ lineage, quote, symbol }) => [lineage, bare(quote), symbol],
    },
    {
      ofFound: (finding) => [lineageOf(finding), bare(finding.quote)],
      ofKnown: ({ lineage, quote }) => [lineage, bare(quote)],
    },
    {
      ofFound: ({ quote }) => (bare(quote) === '' ? null : [bare(quote)]),
      ofKnown: ({ quote }) => [bare(quote)],
    },
  ];
}

/** A finding is matched first by the rule that named it, and then by any other rule that found it. */
const firstKind = (known: KnownFinding) => [kindOf(known)];
const allKinds = ({ rules }: KnownFinding) => rules;

/**
 * Gives findings the identity of the known ones that they repeat. They are matched by, in this order: the same line, the
 * same identity, the same text in the same function, in the same file, and in another file if the known one is gone. So
 * neither a renamed function nor a copy of a line further up makes a known finding look new.
 */
export function recognizeFindings(found: readonly Finding[], recognition: Recognition): Finding[] {
  const { known, isCarried } = recognition;
  // Open findings are preferred to closed ones.
  const openFirst = known.toSorted((a, b) => Number(b.state === 'open') - Number(a.state === 'open'));
  const free = new Set(openFirst.filter((one) => !isCarried(one)));
  const names = new Map<Finding, string>();
  const keyOf = (kind: string, sign: readonly unknown[]) => JSON.stringify([kind, ...sign]);
  for (const kindsOf of [firstKind, allKinds])
    for (const { ofFound, ofKnown } of signsOf(recognition)) {
      const keyed = [...free]
        .reverse()
        .flatMap((one) => kindsOf(one).map((kind) => ({ one, key: keyOf(kind, ofKnown(one)) })));
      const bySign = Map.groupBy(keyed, ({ key }) => key);
      for (const finding of found) {
        const sign = names.has(finding) ? null : ofFound(finding);
        if (sign === null) continue;
        const alike = bySign.get(keyOf(kindOf(finding), sign)) ?? [];
        while (alike.length > 0 && !free.has(alike.at(-1)!.one)) alike.pop();
        const same = alike.pop()?.one;
        if (same === undefined) continue;
        free.delete(same);
        names.set(finding, same.identity);
      }
    }
  return nameAll(found, names, new Set(known.map(({ identity }) => identity)));
}

/** New findings keep their own identity, unless a different known finding has it. */
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
