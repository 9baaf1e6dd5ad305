import type { Change } from '../../src/reviewer/change/change.ts';
import {
  defaultConfiguration,
  resolveConfiguration,
} from '../../src/reviewer/configuration/review-configuration.ts';
import { allRuleSources } from '../../src/reviewer/rules/all-sources.ts';
import { reviewHere } from '../../test/review-here.ts';

const sources = allRuleSources({ searchPath: process.env.PATH });
const configuration = resolveConfiguration({
  reviews: { ...defaultConfiguration.reviews, max_comments: 1_000 },
});

/** A finding of a tool. */
export interface Said {
  readonly path: string;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly rules: readonly string[];
  readonly cwe: string | null;
}

export interface Asked {
  readonly findings: readonly Said[];
  /** The numbers of lines that the change adds and removes. */
  readonly added: number;
  readonly removed: number;
}

export function linesOf({ files }: Change): Pick<Asked, 'added' | 'removed'> {
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  const count = (kind: 'added' | 'removed') => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed') };
}

/** All findings of rules in a change. */
export async function askRules(change: Change): Promise<Asked> {
  const signal = AbortSignal.timeout(600_000);
  const { findings, overflow } = await reviewHere({ change, configuration, sources, signal });
  return { findings: [...findings, ...overflow], ...linesOf(change) };
}

/** The maximum distance in lines between a finding and the bug, since people do not look further from a comment. */
const maxDistance = 3;

export const isAt = ({ path, startLine, endLine }: Said, file: string, line: number) =>
  path === file &&
  startLine !== null &&
  startLine - maxDistance <= line &&
  line <= (endLine ?? startLine) + maxDistance;

export const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);

export const perThousand = (part: number, of: number) => ((1000 * part) / (of || 1)).toFixed(1);

/** The results of a tool on changes with known bugs. */
export class Score {
  cases = 0;
  found = 0;
  /** The number of fixes for which it reports something at the bug's place. */
  controls = 0;
  findings = 0;
  added = 0;
  removed = 0;

  add(isFound: boolean, { findings, added, removed }: Asked, isOnFix = false): void {
    this.cases += 1;
    this.found += Number(isFound);
    this.controls += Number(isOnFix);
    this.findings += findings.length;
    this.added += added;
    this.removed += removed;
  }

  row(name: string): string {
    const { cases, found, controls, findings, added, removed } = this;
    const density = `${perThousand(findings, added + removed)} | ${perThousand(findings, added)}`;
    return `| ${name} | ${found} of ${cases} | ${percent(found, cases)} | ${controls} | ${density} |`;
  }
}

export const scoreHead = [
  '| | At the place | | On the fix | Findings per 1,000 changed lines | per 1,000 added lines |',
  '| --- | --- | --- | --- | --- | --- |',
];
