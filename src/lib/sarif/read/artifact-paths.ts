import { clipName } from '../clip-text.ts';
import {
  isPosixPath,
  joinPaths,
  normalizeFilePath,
  outsidePath,
  readUri,
  type UriPath,
} from '../file-path.ts';
import { FINDING_LIMITS } from '../scan-finding.ts';
import type { ArtifactLocation, SarifRun } from './sarif-shape.ts';

/** Names that tools give to the base for the root of the repository. */
const ROOT_NAME = /^%?_?(?:src|source|repo|repository|project|checkout|workspace)_?(?:root|dir|path)?_?%?$/i;

/** The parts of a run that determine where its artifacts are. */
type RunPlaces = Pick<
  SarifRun,
  'originalUriBaseIds' | 'artifacts' | 'versionControlProvenance' | 'invocations'
>;

/** Turns the artifact locations of one run into paths relative to the root of the repository. */
export type ArtifactPaths = (location: ArtifactLocation | null | undefined) => string | null;

/**
 * Reads the run's URI bases once. An absolute URI under no known root keeps its whole path; a relative one that leads out of
 * its root gets a path that cannot exist inside the repository.
 */
export function artifactPaths(run: RunPlaces): ArtifactPaths {
  const bases = new Map(Object.entries(run.originalUriBaseIds ?? {}));
  const resolve = (location: ArtifactLocation) => resolveLocation(location, bases);
  const roots = rootPaths(run, resolve);

  return (location) => {
    const located = location?.uri == null ? run.artifacts?.[location?.index ?? -1]?.location : location;
    if (located?.uri == null) return null;
    const resolved = resolve(located);
    return clipName(pathInRepository(located, resolved, roots), FINDING_LIMITS.filePathLength);
  };
}

function resolveLocation(location: ArtifactLocation, bases: Map<string, ArtifactLocation>): UriPath {
  let resolved = readUri(location.uri ?? '');
  let baseId = location.uriBaseId;
  // At most one step per base: a longer chain is circular.
  for (let steps = bases.size; steps > 0 && baseId != null && !resolved.absolute; steps -= 1) {
    const base = bases.get(baseId);
    if (base?.uri == null) break;
    resolved = joinPaths(readUri(base.uri), resolved.path);
    baseId = base.uriBaseId;
  }
  return resolved;
}

/** Possible roots in order of trust: mapped checkouts, bases named like a root, other bases, working directories. */
function rootPaths(run: RunPlaces, resolve: (location: ArtifactLocation) => UriPath): string[] {
  const bases = Object.keys(run.originalUriBaseIds ?? {});
  const base = (uriBaseId: string) => resolve({ uri: '', uriBaseId });
  const named = bases.filter((id) => ROOT_NAME.test(id)).map(base);
  const others = bases.map(base).sort((a, b) => a.path.length - b.path.length);
  const mapped = (run.versionControlProvenance ?? []).flatMap((entry) => entry.mappedTo ?? []).map(resolve);
  const directories = (run.invocations ?? []).flatMap((entry) => entry.workingDirectory ?? []).map(resolve);
  const roots = [...mapped, ...named, ...others, ...directories].filter((root) => root.absolute);
  return [...new Set(roots.map((root) => root.path))];
}

function pathInRepository(
  location: ArtifactLocation,
  { absolute, path }: UriPath,
  roots: readonly string[],
): string {
  if (!absolute) return normalizeFilePath(path);
  return (
    withoutRoot(path, roots) ??
    (readUri(location.uri ?? '').absolute ? absolutePathOf(location, path) : outsidePath(path))
  );
}

/**
 * An absolute POSIX path keeps its `/`, which distinguishes it from the repository's own paths. If a base is given, a bare
 * leading `/` is taken as relative to that base.
 */
function absolutePathOf({ uri, uriBaseId }: ArtifactLocation, path: string): string {
  const isAbsolute = uriBaseId == null || /^file:/i.test(uri ?? '');
  return isAbsolute && isPosixPath(uri ?? '') && path !== '' ? `/${path}` : path;
}

function withoutRoot(path: string, roots: readonly string[]): string | undefined {
  const root = roots.find((candidate) => candidate === '' || path.startsWith(`${candidate}/`));
  if (root === undefined) return undefined;
  return root === '' ? path : path.slice(root.length + 1);
}
