import type { ChangedFile } from '../../change/change.ts';
import type { Impact } from '../../code/impact/find-impact.ts';
import type { Reference } from '../../code/impact/judge-use.ts';
import type { LostPlace } from './lost-files.ts';
import type { ReferenceRule } from './reference-rules.ts';

// What happens where, as the first sentence of a finding: its title says already what kind of fault it is.

interface Line {
  readonly path: string;
  readonly line: number;
}

/** A place as text; of several, the first one and how many more there are. */
export function placesIn(places: readonly Line[]): string {
  const [first, ...others] = places;
  const place = `\`${first!.path}:${first!.line}\``;
  return others.length === 0 ? place : `${place} and ${countOf(others, 'other place')}`;
}

function countOf(list: readonly unknown[], noun: string): string {
  return list.length === 1 ? `one ${noun}` : `${list.length} ${noun}s`;
}

/** The places where a changed symbol breaks other code, under one rule. */
export function brokenText(impact: Impact, rule: ReferenceRule, references: readonly Reference[]): string {
  if (rule === 'signature') return misfitText(impact, references);
  const places = placesIn(references);
  if (rule === 'made-async')
    return `\`${impact.symbol}\` returns a promise now, but is not awaited at ${places}`;
  return `${whatWas(impact)} at ${places}`;
}

function misfitText({ symbol }: Impact, [first, ...others]: readonly Reference[]): string {
  const call = `The call to \`${symbol}\` at ${placesIn([first!])} ${first!.fault}`;
  if (others.length === 0) return call;
  return `${call}; ${countOf(others, 'other call')} ${others.length === 1 ? 'does' : 'do'} not match either`;
}

function whatWas({ symbol, change, renamedTo, movedTo, file, isStillDefined }: Impact): string {
  const from = file.oldPath ?? file.path;
  if (change === 'moved')
    return `\`${symbol}\` is now in \`${(movedTo ?? file).path}\`, but still expected in \`${from}\``;
  if (renamedTo !== null)
    return `\`${symbol}\` is now called \`${renamedTo}\`, but still used by its former name`;
  if (isStillDefined) return `\`${from}\` no longer exports \`${symbol}\` as before, but it is used`;
  if (change === 'removed') return `\`${from}\` no longer provides \`${symbol}\`, but it is used`;
  return `\`${symbol}\` is used, but no longer imported or defined,`;
}

/** A file that the change deletes or moves, and the files that need it. */
export function lostFileText({ path, oldPath, kind }: ChangedFile, lost: readonly LostPlace[]): string {
  const [first] = lost;
  const others = new Set(lost.map((place) => place.path).filter((other) => other !== first!.path));
  const gone = kind === 'deleted' ? 'no longer exists' : `is now \`${path}\``;
  const use = `\`${oldPath ?? path}\` ${gone}, but ${placesIn([first!])} still ${first!.text}`;
  if (others.size === 0) return use;
  return `${use}; ${countOf([...others], 'other file')} ${others.size === 1 ? 'needs' : 'need'} it, too`;
}
