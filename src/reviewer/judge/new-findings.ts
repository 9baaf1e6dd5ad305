import type { ChangedFile } from '../change/change.ts';
import { oldLineOf } from '../change/hunks.ts';
import type { RuleFinding } from '../rules/rule-source.ts';

/** One version of a file and what a source found in it. */
export interface Examined {
  readonly lines: readonly string[];
  readonly findings: readonly RuleFinding[];
}

/**
 * Keeps what the change brought: findings that the old version does not have at the place where their line stood, nor on
 * an equal line elsewhere. So code that was moved or indented raises nothing, and what a removed line broke far from it
 * does, such as an import that nothing uses any more.
 */
export function newFindings(file: ChangedFile, now: Examined, before: Examined | undefined): RuleFinding[] {
  const distinct = withoutRepeats(now.findings);
  if (before === undefined) return distinct.filter((finding) => touchesAddedLine(finding, file));
  const known = new Set(before.findings);
  const take = (isMatch: (old: RuleFinding) => boolean) => {
    for (const old of known) if (isMatch(old)) return known.delete(old);
    return false;
  };
  const placed = distinct.filter(({ rule, startLine }) => {
    const oldLine = oldLineOf(startLine, file.hunks);
    return oldLine === null || !take((old) => old.rule === rule && old.startLine === oldLine);
  });
  const textAt = ({ lines }: Examined, line: number) => (lines[line - 1] ?? '').replaceAll(/\s+/g, '');
  return placed.filter(({ rule, startLine }) => {
    const text = textAt(now, startLine);
    return !take((old) => old.rule === rule && textAt(before, old.startLine) === text);
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

function touchesAddedLine({ startLine, endLine }: RuleFinding, { addedLines }: ChangedFile): boolean {
  for (let line = startLine; line <= endLine; line += 1) if (addedLines.has(line)) return true;
  return false;
}
