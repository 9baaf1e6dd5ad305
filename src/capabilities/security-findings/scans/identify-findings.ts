import { hash } from 'node:crypto';
import {
  alikeKey,
  fingerprintOf,
  isFinalFingerprint,
  legacyFingerprint,
} from '../../../lib/sarif/fingerprint.ts';
import type { ScanFinding } from '../../../lib/sarif/scan-finding.ts';
import {
  comparePlaces,
  type Matches,
  matchEqualPlaces,
  matchPlaces,
  type Place,
} from './match-moved-findings.ts';

/** A stored finding, with what distinguishes it from alike ones. */
export interface KnownFinding extends Place {
  readonly fingerprint: string;
  /** Null if from an older version or an export; which findings it is alike to is known once its tool reports it. */
  readonly alike: string | null;
  readonly firstDetectedAt: Date;
  readonly lastSeenAt: Date;
  readonly scanId: string;
  readonly fixedAt: Date | null;
}

/** A finding with its identity in the repository, as it is stored. */
export type IdentifiedFinding = Omit<ScanFinding, 'fingerprint' | 'partialFingerprint' | 'snippet'> & {
  readonly fingerprint: string;
  readonly alike: string | null;
};

/** The scan that the findings belong to, among the others of its tool. */
export interface IdentifyingScan {
  readonly tool: string;
  readonly scannedAt: Date;
  readonly scanId: string;
  readonly isNewest: boolean;
}

/**
 * Assigns each finding of a scan its fingerprint: that of the known finding it continues, or a new one. Findings that cannot be
 * distinguished are one finding, reported twice (ADR 0043).
 */
export function identifyFindings(
  scan: IdentifyingScan,
  found: readonly ScanFinding[],
  known: readonly KnownFinding[],
): IdentifiedFinding[] {
  const groups = Map.groupBy(known, ({ alike }) => alike);
  const unplaced = new Map((groups.get(null) ?? []).map((finding) => [finding.fingerprint, finding]));
  const identified = new Map<string, IdentifiedFinding>();
  const add = (finding: ScanFinding, fingerprint: string, alike: string | null) => {
    const { partialFingerprint, snippet, ...kept } = finding;
    if (!identified.has(fingerprint)) identified.set(fingerprint, { ...kept, fingerprint, alike });
  };

  const knownAlike = new Map(known.map(({ fingerprint, alike }) => [fingerprint, alike]));
  const [final, others] = partition(found, ({ fingerprint }) => isFinalFingerprint(fingerprint));
  for (const finding of final)
    add(finding, finding.fingerprint!, knownAlike.get(finding.fingerprint!) ?? null);

  const byKey = Map.groupBy(others, (finding) => alikeKey(scan.tool, finding));
  for (const [alike, findings] of byKey) {
    const placed = findings.map((finding) => ({ finding, place: placeOf(finding) }));
    const sightings = uniqueInOrder(placed);
    const candidates = [
      ...(groups.get(alike) ?? []),
      ...takeUnplaced(unplaced, (ordinal) => fingerprintOf(alike, ordinal)),
      ...takeUnplaced(unplaced, (ordinal) => legacyFingerprint(findings[0]!, ordinal)),
    ]
      .filter(({ fingerprint }) => !identified.has(fingerprint))
      .sort(comparePlaces);
    const matches = matchSightings(
      scan,
      candidates,
      sightings.map(({ place }) => place),
    );
    const taken = new Set(candidates.map(({ fingerprint }) => fingerprint));
    let ordinal = 0;
    for (const [index, { finding }] of sightings.entries()) {
      const match = matches[index] ?? null;
      let fingerprint = match === null ? undefined : candidates[match]!.fingerprint;
      while (fingerprint === undefined) {
        ordinal += 1;
        const next = fingerprintOf(alike, ordinal);
        if (!taken.has(next) && !identified.has(next)) fingerprint = next;
      }
      add(finding, fingerprint, alike);
    }
  }
  return [...identified.values()];
}

/** A digest of a finding's text; the database computes the same for its rows. */
export function textDigest({ title, description }: Pick<ScanFinding, 'title' | 'description'>): string {
  return hash('md5', `${title}\n${description ?? ''}`, 'hex');
}

/**
 * Matches findings that existed at the time of the scan first. Only the rest may be fixed findings that have returned: at their
 * old place or, if there is only one of its kind, anywhere.
 */
function matchSightings(
  scan: IdentifyingScan,
  known: readonly KnownFinding[],
  found: readonly Place[],
): Matches {
  const isOfThisScan = ({ lastSeenAt, scanId }: KnownFinding) =>
    lastSeenAt.getTime() === scan.scannedAt.getTime() && scanId === scan.scanId;
  const isGone = ({ fixedAt }: KnownFinding) => fixedAt !== null && fixedAt <= scan.scannedAt;
  const matches: Matches = found.map(() => null);
  const matchRemaining = (candidates: readonly KnownFinding[], match: typeof matchPlaces) => {
    const left = [...found.keys()].filter((index) => matches[index] === null);
    const partial = match(
      candidates,
      left.map((index) => found[index]!),
    );
    for (const [position, index] of left.entries()) {
      const candidate = partial[position] ?? null;
      matches[index] = candidate === null ? null : known.indexOf(candidates[candidate]!);
    }
  };

  // Found by another part of this scan, or by the same scan sent before, so they have not moved.
  const [same, others] = partition(known, isOfThisScan);
  matchRemaining(same, matchEqualPlaces);
  const [gone, present] = partition(others, isGone);
  const wasThere = present.filter(({ firstDetectedAt }) => firstDetectedAt <= scan.scannedAt);
  // For a late scan the order is more reliable than the places, since findings have moved in the meantime.
  if (!scan.isNewest && same.length === 0 && wasThere.length === found.length)
    matchRemaining(wasThere, (candidates) => [...candidates.keys()]);
  matchRemaining(present, matchPlaces);
  matchRemaining(gone, known.length === 1 && found.length === 1 ? matchPlaces : matchEqualPlaces);
  return matches;
}

/** Takes findings with consecutively numbered fingerprints, starting at 1. */
function takeUnplaced(
  unplaced: Map<string, KnownFinding>,
  fingerprintAt: (ordinal: number) => string,
): KnownFinding[] {
  const taken: KnownFinding[] = [];
  while (unplaced.size > 0) {
    const finding = unplaced.get(fingerprintAt(taken.length + 1));
    if (finding === undefined) break;
    unplaced.delete(finding.fingerprint);
    taken.push(finding);
  }
  return taken;
}

function placeOf(finding: ScanFinding): Place {
  const { startLine, endLine, startColumn, endColumn } = finding;
  return { startLine, endLine, startColumn, endColumn, text: textDigest(finding) };
}

function uniqueInOrder(sightings: { finding: ScanFinding; place: Place }[]) {
  const byPlace = new Map(
    sightings.toReversed().map((sighting) => [JSON.stringify(sighting.place), sighting]),
  );
  return [...byPlace.values()].sort((a, b) => comparePlaces(a.place, b.place));
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
