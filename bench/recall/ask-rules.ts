import type { Change } from '../../src/reviewer/change/change.ts';
import {
  defaultConfiguration,
  resolveConfiguration,
} from '../../src/reviewer/configuration/review-configuration.ts';
import type { Finding } from '../../src/reviewer/finding.ts';
import { allRuleSources } from '../../src/reviewer/rules/all-sources.ts';
import { reviewHere } from '../../test/review-here.ts';

const sources = allRuleSources({ searchPath: process.env.PATH });
const configuration = resolveConfiguration({
  reviews: { ...defaultConfiguration.reviews, max_comments: 1_000 },
});

/** Everything that rules say of a change, and how many lines it adds. */
export async function askRules(
  change: Change,
): Promise<{ readonly findings: readonly Finding[]; readonly added: number }> {
  const signal = AbortSignal.timeout(600_000);
  const { findings, overflow } = await reviewHere({ change, configuration, sources, signal });
  const added = change.files.reduce((sum, { addedLines }) => sum + addedLines.size, 0);
  return { findings: [...findings, ...overflow], added };
}

/** Nobody looks further from a comment than this. */
const maxDistance = 3;

export const isAt = ({ path, startLine, endLine }: Finding, file: string, line: number) =>
  path === file &&
  startLine !== null &&
  startLine - maxDistance <= line &&
  line <= (endLine ?? startLine) + maxDistance;

export const percent = (part: number, of: number) => (of === 0 ? '–' : `${((100 * part) / of).toFixed(1)} %`);
