import { hash } from 'node:crypto';
import { alikeKey, fingerprintOf, formerFingerprint, isFinalFingerprint } from '../sarif/fingerprint.ts';
import type { ScanFinding } from '../sarif/scan-finding.ts';
import { comparePlaces, type Matches, matchEqualPlaces, matchPlaces, type Place } from './match-places.ts';

/** A finding as its repository knows it, with what tells it from those alike. */
export interface KnownFinding extends Place {
  readonly fingerprint: string;
  /** Null: from before, or from an export; which ones it is alike to shows when its tool reports it. */
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

/** The scan that the findings are of, among the others of its tool. */
export interface IdentifyingScan {
  readonly tool: string;
  readonly scannedAt: Date;
  readonly scanId: string;
  readonly isNewest: boolean;
}

/**
 * Gives each finding of a scan its fingerprint: that of the known finding which it continues, or a new one. Findings that
 * agree in all that tells them apart are one, reported twice (ADR 0043).
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
      ...takeUnplaced(unplaced, (ordinal) => formerFingerprint(findings[0]!, ordinal)),
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

/** Stands for the words of a finding; the database makes the same of its rows. */
export function textDigest({ title, description }: Pick<ScanFinding, 'title' | 'description'>): string {
  return hash('md5', `${title}\n${description ?? ''}`, 'hex');
}

/**
 * First those that were there when the scan was made; only what is left may be one that had gone and returns, at its old
 * place, or wherever the only one of its kind now is.
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
  const matchLeft = (candidates: readonly KnownFinding[], match: typeof matchPlaces) => {
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

  // Another part of this scan, or the scan sent again, has found these: they are not anywhere else.
  const [same, others] = partition(known, isOfThisScan);
  matchLeft(same, matchEqualPlaces);
  const [gone, present] = partition(others, isGone);
  const wasThere = present.filter(({ firstDetectedAt }) => firstDetectedAt <= scan.scannedAt);
  // Of a late scan the places tell little: what was there then has moved since. Its order tells more.
  if (!scan.isNewest && same.length === 0 && wasThere.length === found.length)
    matchLeft(wasThere, (candidates) => [...candidates.keys()]);
  matchLeft(present, matchPlaces);
  matchLeft(gone, known.length === 1 && found.length === 1 ? matchPlaces : matchEqualPlaces);
  return matches;
}

/** Takes the findings whose fingerprints are numbered without a gap. */
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
