import { compareTexts } from '../../src/capabilities/findings/tracking/compare-texts.ts';
import { identifiersIn } from '../../src/capabilities/findings/tracking/identifiers.ts';
import { distanceTo, type LineRange } from '../../src/capabilities/findings/tracking/map-range.ts';
import {
  addedLines,
  removedLines,
  withoutFormattingHunks,
} from '../../src/capabilities/findings/tracking/meaningful-hunks.ts';
import { suppressionIn } from '../../src/capabilities/findings/tracking/suppression.ts';
import type { SeededRandom } from '../../src/lib/seeded-random.ts';
import type { Hunk } from '../../src/reviewer/change/change.ts';
import type { Files, History, HistoryKind } from './history.ts';
import type { Material } from './material.ts';

/** The relative frequency of each kind: most findings are never touched, and about half of the touched ones by coincidence. */
const shares: Readonly<Record<HistoryKind, number>> = {
  untouched: 40,
  elsewhere: 0.6,
  edit: 12,
  suggestion: 5,
  suggestion_changed: 2,
  rename: 2,
  deletion: 3,
  guard: 3,
  move: 1.5,
  chance: 13,
  near: 6,
  formatted: 4,
  suppressed: 2,
  reverted: 2,
  moved_as_is: 2,
};
const addressed: ReadonlySet<HistoryKind> = new Set<HistoryKind>([
  'edit',
  'suggestion',
  'suggestion_changed',
  'rename',
  'deletion',
  'guard',
  'move',
  'elsewhere',
]);

/** Probabilities for people's behaviour. They are assumed, since no public data set contains the threads of hosts. */
const behaviour = {
  ruleShare: 0.4,
  resolvesAddressed: 0.45,
  resolvesOther: 0.15,
  saysFixed: 0.15,
  saysFixedWrongly: 0.01,
  saysWontFix: 0.15,
  namesWhatChanges: 0.7,
  namesItByChance: 0.2,
};

const windowLines = 25;
const minDistance = 12;

function pickKind(random: SeededRandom): HistoryKind {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
  let rest = random.next() * total;
  for (const [kind, share] of Object.entries(shares) as [HistoryKind, number][]) {
    rest -= share;
    if (rest < 0) return kind;
  }
  return 'untouched';
}

/** The text with some of the hunks applied. */
function applyHunks(before: readonly string[], hunks: readonly Hunk[]): string[] {
  const after = [...before];
  for (const hunk of hunks.toReversed()) after.splice(hunk.oldStart - 1, hunk.oldCount, ...addedLines(hunk));
  return after;
}

const sliceOf = (lines: readonly string[], { start, end }: LineRange) => lines.slice(start - 1, end);

interface Act {
  /** The lines that the finding is about. */
  readonly range: LineRange;
  /** The author's changes for the finding, or near it, to the posted file. */
  readonly hunks: readonly Hunk[];
  readonly suggestion?: string;
  /** The names that the change added or removed. */
  readonly changedNames: readonly string[];
}

/** The action of a kind; undefined if the material is not suitable for it. */
function performAct(
  kind: HistoryKind,
  { path, before, after }: Material,
  random: SeededRandom,
): Act | undefined {
  const real = withoutFormattingHunks(compareTexts(before, after), path).filter(
    (hunk) => hunk.oldCount <= 12 && hunk.newCount <= 20 && suppressionIn([hunk], path) === undefined,
  );
  const editing = real.filter(({ oldCount, newCount }) => oldCount > 0 && newCount > 0);
  const anywhere = (): LineRange => {
    const start = 4 + random.below(Math.max(before.length - 12, 1));
    return { start, end: Math.min(start + random.below(4), before.length - 3) };
  };
  const inside = (hunk: Hunk): LineRange => {
    const start = hunk.oldStart + random.below(hunk.oldCount);
    return { start, end: Math.min(start + random.below(3), hunk.oldStart + hunk.oldCount - 1) };
  };
  const replacing = (range: LineRange, lines: readonly string[]): Hunk[] =>
    compareTexts(before, before.toSpliced(range.start - 1, range.end - range.start + 1, ...lines));
  const namesOf = (hunks: readonly Hunk[]) => [
    ...identifiersIn(hunks.flatMap(removedLines).join('\n')).symmetricDifference(
      identifiersIn(hunks.flatMap(addedLines).join('\n')),
    ),
  ];
  const act = (range: LineRange, hunks: readonly Hunk[], suggestion?: string): Act | undefined =>
    hunks.length === 0 && kind !== 'untouched' && kind !== 'elsewhere'
      ? undefined
      : { range, hunks, changedNames: namesOf(hunks), ...(suggestion !== undefined && { suggestion }) };

  switch (kind) {
    case 'edit':
    case 'chance':
    case 'reverted': {
      if (editing.length === 0) return undefined;
      const hunk = random.pick(editing);
      return act(inside(hunk), [hunk]);
    }
    case 'suggestion':
    case 'suggestion_changed': {
      if (editing.length === 0) return undefined;
      const hunk = random.pick(editing);
      const range = { start: hunk.oldStart, end: hunk.oldStart + hunk.oldCount - 1 };
      const suggested = addedLines(hunk);
      if (kind === 'suggestion') return act(range, [hunk], suggested.join('\n'));
      // The author applies the suggestion with a modification.
      const at = random.below(suggested.length);
      const taken = suggested.with(at, `${suggested[at]} // as discussed`);
      return act(range, replacing(range, taken), suggested.join('\n'));
    }
    case 'rename': {
      const range = anywhere();
      const [name] = [...identifiersIn(sliceOf(before, range).join('\n'))].filter((one) => one.length > 4);
      if (name === undefined) return undefined;
      const renamed = before.map((line) =>
        line.replaceAll(new RegExp(`\\b${escapeName(name)}\\b`, 'g'), `${name}Value`),
      );
      return act(range, compareTexts(before, renamed));
    }
    case 'deletion': {
      const range = anywhere();
      return act(range, replacing(range, []));
    }
    case 'guard': {
      const range = anywhere();
      const [name = 'input'] = identifiersIn(sliceOf(before, range).join('\n'));
      const indent = /^\s*/.exec(before[range.start - 1]!)![0];
      return act(range, replacing(range, [`${indent}if (!${name}) return;`, ...sliceOf(before, range)]));
    }
    case 'move':
    case 'moved_as_is': {
      const range = anywhere();
      const lines = sliceOf(before, range);
      const without = before.toSpliced(range.start - 1, lines.length);
      const target = (range.start - 1 + 15 + random.below(without.length)) % without.length;
      return act(range, compareTexts(before, without.toSpliced(target, 0, ...lines)));
    }
    case 'near': {
      if (editing.length === 0) return undefined;
      const hunk = random.pick(editing);
      const distance = 1 + random.below(3);
      const start = hunk.oldStart + hunk.oldCount - 1 + distance;
      return start + 1 > before.length ? undefined : act({ start, end: start }, [hunk]);
    }
    case 'formatted': {
      const range = anywhere();
      const formatted = before.flatMap((line) => {
        const call = /^(\s*)(.*\()([^()]{6,})(\).*)$/.exec(line);
        if (call === null || random.chance(0.5)) return [line.replace(/^\s+/, (space) => space.repeat(2))];
        return [`${call[1]}${call[2]}`, `${call[1]}    ${call[3]}`, `${call[1]}${call[4]}`];
      });
      return act(range, compareTexts(before, formatted));
    }
    case 'suppressed': {
      const range = anywhere();
      const indent = /^\s*/.exec(before[range.start - 1]!)![0];
      const comment = random.pick(['// eslint-disable-next-line no-shadow', '# noqa: E501', '// NOSONAR']);
      return act(range, replacing(range, [`${indent}${comment}`, ...sliceOf(before, range)]));
    }
    case 'untouched':
    case 'elsewhere':
      return act(anywhere(), []);
  }
}

const escapeName = (name: string) => name.replaceAll('$', '\\$');

/** Unrelated changes: real ones of the same file, far from the finding. */
function noiseFor(act: Act, { before, after }: Material, random: SeededRandom): Hunk[] {
  const isFree = (hunk: Hunk) =>
    distanceTo(act.range, hunk) >= minDistance &&
    act.hunks.every((other) => Math.abs(other.oldStart - hunk.oldStart) > other.oldCount + hunk.oldCount + 1);
  return compareTexts(before, after).filter((hunk) => isFree(hunk) && random.chance(0.7));
}

/** Generates the history of a pull request from a real change; undefined if the material is not suitable. */
export function makeHistory(material: Material, random: SeededRandom): History | undefined {
  const kind = pickKind(random);
  const act = performAct(kind, material, random);
  if (act === undefined) return undefined;
  const { before, path } = material;
  const { range } = act;
  if (!/[\p{L}_]{3}/u.test(sliceOf(before, range).join(''))) return undefined;
  const isAddressed = addressed.has(kind);
  const isRule = kind === 'suppressed' || random.chance(behaviour.ruleShare);
  const noise = noiseFor(act, material, random);
  const other = 'docs/notes.md';
  const final = applyHunks(
    before,
    [...act.hunks, ...noise].sort((a, b) => a.oldStart - b.oldStart),
  );
  const noisy = applyHunks(before, noise);
  const last = kind === 'reverted' ? noisy : final;
  const newPath = random.chance(0.15) ? path.replace(/(\.\w+)$/, '-renamed$1') : path;
  const extra = kind === 'elsewhere' ? { 'src/fixed-here.ts': ['export const fixed = true;'] } : {};
  const filesOf = (lines: readonly string[], at: string): Files => ({
    [at]: lines,
    [other]: ['notes'],
    ...extra,
  });
  const steps: Files[] = [
    ...(random.chance(0.4) ? [filesOf(noisy, path)] : []),
    ...(kind === 'reverted' ? [filesOf(final, path)] : []),
    filesOf(last, newPath),
  ];
  const isMoved = random.chance(0.3);
  const header = ['// Copyright of the project', '// All rights reserved', ''];
  const withHeader = (files: Files): Files =>
    Object.fromEntries(
      Object.entries(files).map(([at, lines]) => [at, at === other ? lines : [...header, ...lines]]),
    );
  // The pull request added the lines around the finding.
  const baseLines = before.toSpliced(Math.max(range.start - windowLines, 1) - 1, windowLines * 2);
  const base: Files = { [path]: baseLines, [other]: ['notes'] };
  const isRewritten = isMoved || random.chance(0.2);
  const names = act.changedNames.filter((name) => name.length >= 3);
  const steady = [...identifiersIn(sliceOf(before, range).join('\n'))].filter(
    (name) => !names.includes(name),
  );
  const isNamed =
    names.length > 0 && random.chance(isAddressed ? behaviour.namesWhatChanges : behaviour.namesItByChance);
  const named = isNamed ? [random.pick(names)] : steady.slice(0, 2);
  const isSpoken = random.next();
  return {
    kind,
    isAddressed,
    base,
    posted: filesOf(before, path),
    pushes: isMoved ? steps.with(-1, withHeader(steps.at(-1)!)) : steps,
    movedBase: isMoved ? withHeader(base) : null,
    isRewritten,
    isForgotten: isRewritten && random.chance(0.3),
    finding: {
      path,
      range,
      text: `This may be wrong: ${named.map((name) => `\`${name}\``).join(', ')} should be looked at.`,
      suggestion: act.suggestion ?? (random.chance(0.15) ? invented(sliceOf(before, range)) : null),
      source: isRule ? 'rule' : 'model',
    },
    // A model sometimes does not report a finding again.
    isGone: isRule ? isAddressed || kind === 'suppressed' : random.chance(isAddressed ? 0.9 : 0.4),
    isResolvedByPerson: random.chance(isAddressed ? behaviour.resolvesAddressed : behaviour.resolvesOther),
    reply: isAddressed
      ? isSpoken < behaviour.saysFixed
        ? 'fixed'
        : null
      : isSpoken < behaviour.saysWontFix
        ? 'wont_fix'
        : isSpoken < behaviour.saysWontFix + behaviour.saysFixedWrongly
          ? 'fixed'
          : null,
  };
}

/** A suggestion that the author does not apply. */
function invented(lines: readonly string[]): string {
  return lines.map((line) => line.replace(/\w+(?=\W*$)/, 'somethingElse')).join('\n');
}
