import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import type { Hunk } from '../../../reviewer/change/change.ts';
import { addedLinesOf } from '../../../reviewer/change/hunks.ts';
import { readFileAt } from '../../../reviewer/repository/read-file-at.ts';
import type { RepositoryPlace } from '../../../reviewer/repository/repository.ts';
import { type AddedFile, chanceRate } from '../tracking/chance-rate.ts';
import {
  compareRevisions,
  type FileComparison,
  findChangedPaths,
  hasCommit,
  type RevisionComparison,
} from '../tracking/compare-revisions.ts';
import { compareAnchor } from '../tracking/locate-anchor.ts';
import { distanceTo, mapRange } from '../tracking/map-range.ts';
import { addedLines, withoutBaseHunks, withoutFormattingHunks } from '../tracking/meaningful-hunks.ts';
import { type Tracking, trackFinding, trackLayout } from '../tracking/track-finding.ts';
import { type FollowedFinding, linesOf } from './followed-finding.ts';

/** A version of a pull request whose files were fetched. */
export interface Version {
  readonly revision: string;
  /** Its merge base with the base branch; null if unknown. */
  readonly mergeBase: string | null;
}

/** What happened to a finding in the code. */
export interface CodeObservation {
  readonly tracking: Tracking;
  /** The file in the newer version; undefined if it is missing or not text. */
  readonly text: readonly string[] | undefined;
  /** The changes of its file, including those of the layout, without those from the base branch. */
  readonly changes: readonly Hunk[];
  /** The lines that were added since, in all files. */
  readonly added: readonly (readonly string[])[];
  /** How often lines like those of the finding change anyway, commented on or not; null if unknown. */
  readonly chance: number | null;
}

/** The difference between the version a finding was posted on and the newer one. */
interface Difference {
  readonly compared: RevisionComparison;
  /** The changes from the base branch, by the paths of the newer version. */
  readonly ofBase: ReadonlyMap<string, readonly Hunk[]>;
  /** The changes of the pull request when the finding was posted. */
  readonly posted: RevisionComparison;
}

const linesOfText = (text: string | undefined) => text?.replace(/\n$/, '').split('\n');

/** Stored lines have no secrets, so they are compared with redacted text. */
const redacted = (text: string | undefined) => text && redactCredentials(text);

/** The paths to compare: those of the pull request in either version, and those of the findings. */
async function pathsOf(
  repository: RepositoryPlace,
  versions: readonly Version[],
  own: Iterable<string>,
): Promise<string[]> {
  // Mostly both are the same version, looked at soon after it was reviewed.
  const compared = new Map(
    versions
      .filter(({ mergeBase, revision }) => mergeBase !== null && mergeBase !== revision)
      .map(({ mergeBase, revision }) => [`${mergeBase} ${revision}`, [mergeBase!, revision] as const]),
  );
  const changed = await Promise.all(
    [...compared.values()].map(([from, to]) => findChangedPaths(repository, from, to)),
  );
  return [...new Set([...own, ...changed.flat()])];
}

async function compareVersions(
  repository: RepositoryPlace,
  before: Version,
  now: Version,
  paths: readonly string[],
): Promise<Difference> {
  const compare = (from: string, to: string) => compareRevisions(repository, from, to, paths);
  const compared = await compare(before.revision, now.revision);
  const [from, to] = [before.mergeBase, now.mergeBase];
  const base = from === null || to === null ? undefined : await compare(from, to);
  const posted = await compare(from ?? before.revision, before.revision);
  const ofBase = new Map(
    (base?.files ?? []).map(({ newPath, oldPath, hunks }) => [newPath ?? oldPath!, hunks]),
  );
  return { compared, ofBase, posted };
}

/** The paths to compare for findings that were posted on one version; null if its commit no longer exists. */
export async function findPaths(
  repository: RepositoryPlace,
  posted: Version,
  now: Version,
  own: readonly string[],
): Promise<string[] | null> {
  if (!(await hasCommit(repository, posted.revision))) return null;
  return pathsOf(repository, [posted, now], own);
}

/**
 * Follows findings that were posted on one version to a newer one; the files of both must have been fetched. `known` is what
 * `findPaths` returned, for callers that have it already.
 */
export async function observeCode(
  repository: RepositoryPlace,
  findings: readonly FollowedFinding[],
  posted: Version,
  now: Version,
  known?: readonly string[] | null,
): Promise<Map<FollowedFinding, CodeObservation>> {
  const own = findings.map(({ path }) => path);
  const paths = known === undefined ? await findPaths(repository, posted, now, own) : known;
  const difference = paths === null ? undefined : await compareVersions(repository, posted, now, paths);
  const files = difference === undefined ? [] : addedFiles(difference);
  const chances = new Map<number, number | null>();
  const chanceOf = (length: number) => {
    if (!chances.has(length)) chances.set(length, chanceRate(files, length));
    return chances.get(length) ?? null;
  };
  const seen = new Map<FollowedFinding, CodeObservation>();
  const texts = new Map<string, string | undefined>();
  const readNow = async (path: string) => {
    if (!texts.has(path)) texts.set(path, await readFileAt(repository, now.revision, path));
    return texts.get(path);
  };
  for (const finding of findings) {
    const tracked =
      difference === undefined
        ? await trackByText(repository, finding, now.revision)
        : track(finding, difference);
    const read = tracked.path === null ? undefined : await readNow(tracked.path);
    const text = linesOfText(read);
    const tracking = difference === undefined ? tracked : withLayout(finding, tracked, text, difference);
    const added = difference?.compared.files.map(({ hunks }) => hunks.flatMap(addedLines)) ?? [];
    const length = finding.range === null ? 1 : Math.max(finding.range.end - finding.range.start + 1, 1);
    const chance = difference === undefined ? null : chanceOf(length);
    const changes = difference === undefined ? tracked.hunks : ownHunks(finding.path, difference);
    seen.set(finding, { tracking, text, changes, added, chance });
  }
  return seen;
}

function track(finding: FollowedFinding, { compared, ofBase, posted }: Difference): Tracking {
  const { path, side, range } = finding;
  const file = compared.of(path);
  const elsewhere = compared.files
    .filter(({ oldPath }) => oldPath !== path)
    .map(({ hunks }) => hunks.flatMap(addedLines));
  const hunks = baseHunksOf(ofBase, file, path);
  if (side === 'new' || range === null)
    return trackFinding({ path, range, lines: linesOf(finding) }, file, { ofBase: hunks, elsewhere });
  // For lines that the pull request had removed, the gap that they left is tracked.
  const { range: gap } = mapRange(range, posted.of(path).hunks);
  return trackFinding({ path, range: gap, lines: [] }, file, { ofBase: hunks });
}

function ownHunks(path: string, { compared, ofBase }: Difference): readonly Hunk[] {
  const file = compared.of(path);
  return withoutBaseHunks(file.hunks, baseHunksOf(ofBase, file, path));
}

/** Recognizes lines whose layout alone changed, unless a change from the base branch touched them. */
function withLayout(
  finding: FollowedFinding,
  tracking: Tracking,
  text: readonly string[] | undefined,
  difference: Difference,
): Tracking {
  const { range, side, path } = finding;
  if (range === null || side === 'old' || text === undefined || tracking.range === null) return tracking;
  const own = new Set(ownHunks(path, difference));
  const { hunks } = difference.compared.of(path);
  if (hunks.some((hunk) => !own.has(hunk) && distanceTo(range, hunk) === 0)) return tracking;
  const lines = linesOf(finding);
  const now = text.slice(tracking.range.start - 1, tracking.range.end);
  // Stored lines have no secrets.
  const shown = redactCredentials(now.join('\n')).split('\n');
  return trackLayout(tracking, { range, lines }, now.length === 0 ? now : shown, hunks);
}

function baseHunksOf(
  ofBase: Difference['ofBase'],
  { newPath }: FileComparison,
  path: string,
): readonly Hunk[] {
  return (newPath === null ? undefined : ofBase.get(newPath)) ?? ofBase.get(path) ?? [];
}

/** If the version a finding was posted on is gone, its stored lines are searched for in the newer one. */
async function trackByText(
  repository: RepositoryPlace,
  finding: FollowedFinding,
  head: string,
): Promise<Tracking> {
  const unknown: Tracking = { state: 'unknown', path: finding.path, range: null, hunks: [] };
  const { anchor, range, path } = finding;
  const text = linesOfText(redacted(await readFileAt(repository, head, path)));
  if (text === undefined || anchor === null || range === null || finding.side === 'old') return unknown;
  const hunks = compareAnchor(anchor, text);
  if (hunks === undefined) return unknown;
  return trackFinding({ path, range, lines: linesOf(finding) }, { newPath: path, hunks, isReadable: true });
}

/** The lines that the pull request had added, and how they changed since. */
function addedFiles({ posted, compared, ofBase }: Difference): AddedFile[] {
  return posted.files
    .filter(({ newPath }) => newPath !== null)
    .map(({ newPath, hunks }) => {
      const file = compared.of(newPath!);
      const own = withoutBaseHunks(file.hunks, baseHunksOf(ofBase, file, newPath!));
      return {
        addedLines: addedLinesOf(hunks),
        hunks: withoutFormattingHunks(own, newPath!),
        isGone: file.newPath === null,
      };
    });
}
