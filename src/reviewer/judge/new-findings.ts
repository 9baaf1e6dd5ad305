import type { ChangedFile } from '../change/change.ts';
import { mapLines } from '../change/hunks.ts';
import type { RuleFinding } from '../rule-source.ts';

/** A version of a file, and the findings of a source in it. */
export interface Examined {
  readonly lines: readonly string[];
  readonly findings: readonly RuleFinding[];
}

/**
 * Keeps findings that the change introduced: those that the old version has neither at the old position of the line, nor on
 * an equal line elsewhere, nor with other names in the same hunk. So moved or indented code raises nothing, but faults far
 * from a changed line are found, such as an import that became unused.
 */
export function newFindings(file: ChangedFile, now: Examined, before: Examined | undefined): RuleFinding[] {
  const distinct = withoutRepeats(now.findings);
  if (before === undefined) {
    const isAdded = overlapTest(file.addedLines);
    return distinct.filter(({ startLine, endLine }) => isAdded(startLine, endLine));
  }
  const { oldLineOf } = mapLines(file.hunks);
  const known = new Set(before.findings);
  const placed = unmatched(distinct, known, {
    ofNow: ({ startLine }) => oldLineOf(startLine),
    ofOld: ({ startLine }) => startLine,
  });
  const textAt = ({ lines }: Examined, line: number) => (lines[line - 1] ?? '').replaceAll(/\s+/g, '');
  const moved = unmatched(placed, known, {
    ofNow: ({ startLine }) => textAt(now, startLine),
    ofOld: ({ startLine }) => textAt(before, startLine),
  });
  // Names are changed in place: code of the same shape elsewhere is another fault.
  const inHunk = (shape: string | null, from: 'newStart' | 'oldStart', line: number) => {
    const hunk = file.hunks.findLastIndex((each) => each[from] <= line);
    return shape === null ? null : `${hunk}\0${shape}`;
  };
  return unmatched(moved, known, {
    ofNow: (finding) => inHunk(shapeOf(now, finding), 'newStart', finding.startLine),
    ofOld: (finding) => inHunk(shapeOf(before, finding), 'oldStart', finding.startLine),
  });
}

/** The lines of a finding without white space, quotes and names of variables; null if too little is left. */
function shapeOf({ lines }: Examined, { startLine, endLine }: RuleFinding): string | null {
  const text = lines
    .slice(startLine - 1, endLine)
    .join('')
    .slice(0, 2_000);
  // Names of called functions and of members are kept.
  const named = text.replaceAll(/(?<![\w$.'"`])[A-Za-z_$][\w$]*(?![\w$'"`(:])/g, 'a');
  const shape = named.replaceAll(/[\s'"`;,()]+/g, '');
  // A short shape is too common to identify a fault.
  return shape.length < 4 ? null : shape;
}

/** The findings for which `known` has none of the same rule and sign. Each old finding matches one, and is then removed. */
function unmatched(
  findings: readonly RuleFinding[],
  known: Set<RuleFinding>,
  sign: {
    ofNow(finding: RuleFinding): string | number | null;
    ofOld(finding: RuleFinding): string | number | null;
  },
): RuleFinding[] {
  const bySign = Map.groupBy([...known].reverse(), (old) => `${old.rule}\0${sign.ofOld(old)}`);
  return findings.filter((finding) => {
    const wanted = sign.ofNow(finding);
    const old = wanted === null ? undefined : bySign.get(`${finding.rule}\0${wanted}`)?.pop();
    return old === undefined || !known.delete(old);
  });
}

/** Removes duplicates: two plug-ins of a tool may report the same. */
function withoutRepeats(findings: readonly RuleFinding[]): RuleFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, startLine, body }) => {
    const key = `${rule}\0${startLine}\0${body}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns a test whether a range, including its last line, contains any of these lines. */
export function overlapTest(lines: ReadonlySet<number>): (first: number, last: number) => boolean {
  const sorted = Int32Array.from(lines).sort();
  return (first, last) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < first) low = middle + 1;
      else high = middle;
    }
    return low < sorted.length && sorted[low]! <= last;
  };
}
