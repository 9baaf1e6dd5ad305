import { globMatcher } from '../../../lib/patterns/glob.ts';
import type { TreeView } from '../../repository/tree-view.ts';
import { redactLines } from '../showing/redact-lines.ts';
import { readFrontMatter } from './front-matter.ts';
import { depthOf, type Guideline, holdsFor } from './guideline.ts';

export interface FoundGuidelines {
  /** The guidelines that apply to one of the files, the nearest first. */
  readonly guidelines: readonly Guideline[];
  /** The paths of those that were not read: there are too many, or their contents are missing locally. */
  readonly unread: readonly string[];
}

const maxRead = 100;
const maxLength = 64 * 1024;

/** Finds the guidelines for some files in the base; `globs` match their paths. Links are not followed. */
export async function findGuidelines(
  base: TreeView,
  globs: readonly string[],
  files: readonly string[],
): Promise<FoundGuidelines> {
  const named = globs.map((glob) => ({ glob, matches: globMatcher([plainGlob(glob)], { dot: true }) }));
  const candidates: { path: string; folder: string; place: number }[] = [];
  for (const path of await base.paths()) {
    const place = named.findIndex(({ matches }) => matches(path));
    if (place === -1) continue;
    const folder = folderOf(path, named[place]!.glob);
    if (files.some(holdsFor({ folder, globs: null }))) candidates.push({ path, folder, place });
  }
  candidates.sort(
    (a, b) => depthOf(b.folder) - depthOf(a.folder) || a.place - b.place || (a.path < b.path ? -1 : 1),
  );
  const guidelines: Guideline[] = [];
  const unread: string[] = [];
  for (const { path, folder } of candidates) {
    const whole = guidelines.length + unread.length < maxRead ? await base.read(path) : undefined;
    if (whole === undefined) {
      unread.push(path);
      continue;
    }
    const { globs: scope, isOnDemand, text } = readFrontMatter(whole);
    const own = path.endsWith('.mdc') ? (scope?.map(byName) ?? null) : scope;
    if (isOnDemand || text.trim() === '' || !files.some(holdsFor({ folder, globs: own }))) continue;
    const redacted = redactLines(text.slice(0, maxLength)).join('\n').trim();
    guidelines.push({ path, folder, globs: own, text: redacted });
  }
  return { guidelines, unread };
}

const plainGlob = (glob: string) => glob.replace(/^\.?\//, '');

/** In Cursor's rules, a pattern without a folder matches the name of a file. */
const byName = (glob: string) => (glob.includes('/') ? glob : `**/${glob}`);

/**
 * The folder below which a guideline applies: its own, or the one that contains the tool's folder. If the glob names the
 * folder, it applies everywhere, since a configuration with `docs/style.md` does not mean the style of `docs`.
 */
function folderOf(path: string, glob: string): string {
  const named = plainGlob(glob).split('/').slice(0, -1).join('/');
  if (!/[*?[{(!]/.test(named)) return '';
  const parts = path.split('/').slice(0, -1);
  const tool = parts.findIndex((part) => part === '.cursor' || part === '.github');
  return (tool === -1 ? parts : parts.slice(0, tool)).join('/');
}
