import type { ChangedFile } from '../change/change.ts';
import { mapLines } from '../change/hunks.ts';
import type { RuleFinding } from '../rule-source.ts';

/** One version of a file and what a source found in it. */
export interface Examined {
  readonly lines: readonly string[];
  readonly findings: readonly RuleFinding[];
}

/**
 * Keeps what the change brought: findings that the old version does not have at the place where their line stood, nor on
 * an equal line elsewhere, nor with other names in the same hunk. So code that was moved or indented raises nothing, and
 * what a removed line broke far from it does, such as an import that nothing uses any more.
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
  // Names are changed where the code stands: what has the same shape elsewhere is another fault.
  const inHunk = (shape: string | null, from: 'newStart' | 'oldStart', line: number) => {
    const hunk = file.hunks.findLastIndex((each) => each[from] <= line);
    return shape === null ? null : `${hunk}\0${shape}`;
  };
  return unmatched(moved, known, {
    ofNow: (finding) => inHunk(shapeOf(now, finding), 'newStart', finding.startLine),
    ofOld: (finding) => inHunk(shapeOf(before, finding), 'oldStart', finding.startLine),
  });
}

/** What is left of the lines of a finding whatever quotes, line ends and names of variables somebody chose. */
function shapeOf({ lines }: Examined, { startLine, endLine }: RuleFinding): string | null {
  const text = lines
    .slice(startLine - 1, endLine)
    .join('')
    .slice(0, 2_000);
  // What is called, and what is asked of it, stays.
  const named = text.replaceAll(/(?<![\w$.'"`])[A-Za-z_$][\w$]*(?![\w$'"`(:])/g, 'a');
  const shape = named.replaceAll(/[\s'"`;,()]+/g, '');
  // Of a line that says little, another one like it says nothing.
  return shape.length < 4 ? null : shape;
}

/** Findings that no old one of the same rule has the same sign as. Each old one answers for one, and is then taken out. */
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

/** Two plug-ins of a tool may report the same. */
function withoutRepeats(findings: readonly RuleFinding[]): RuleFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, startLine, body }) => {
    const key = `${rule}\0${startLine}\0${body}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Whether any of the lines from one to another is among these. */
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
