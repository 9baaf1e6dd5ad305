import type { Change } from '../change/change.ts';
import { isCode, isGeneratedPath, isLockFile, isTest } from '../change/file-kinds.ts';
import type { Finding } from '../finding.ts';
import type { PastCommit } from '../repository/history.ts';
import type { ImpactEntry, Risk } from '../review-report.ts';
import { countLines } from './areas.ts';
import { type SensitiveKind, sensitiveKindOf, sensitiveKinds } from './sensitive-files.ts';

/** The facts about the risk of a change that follow from its files. */
export interface FileRisk {
  /** Code changed, but no test. */
  readonly isUntested: boolean;
  /** The number of added and removed lines, without lock files and generated files. */
  readonly lines: number;
  readonly sensitive: readonly SensitiveKind[];
}

/** The number of fixes (`count`) among the last commits (`of`) of a file. */
export interface FixCount {
  readonly count: number;
  readonly of: number;
}

export interface RiskFacts {
  readonly files: FileRisk | undefined;
  readonly fixes: FixCount | undefined;
  readonly impact: readonly Pick<ImpactEntry, 'change' | 'total_references'>[];
  readonly findings: readonly Pick<Finding, 'severity'>[];
}

const manyReferences = 5;
const manyLines = 400;
const manyFixes = 3;
const lastCommits = 20;
const maxRead = 500;
const fix = /\b(?:bug|hot)?fix(?:e[sd]|ing)?\b/i;

export async function findFileRisk({ files }: Pick<Change, 'files'>): Promise<FileRisk> {
  const sensitive = new Set<SensitiveKind>();
  for (const file of files.slice(0, maxRead)) {
    const kind = await sensitiveKindOf(file);
    if (kind !== undefined) sensitive.add(kind);
  }
  const isWritten = (path: string) => !isLockFile(path) && !isGeneratedPath(path);
  const counts = files.map((file) => {
    const { added, removed } = countLines(file);
    return { path: file.path, lines: added + removed };
  });
  const changed = counts.filter(({ lines }) => lines > 0);
  return {
    isUntested: changed.some(({ path }) => isCode(path)) && !files.some(({ path }) => isTest(path)),
    lines: changed.filter(({ path }) => isWritten(path)).reduce((sum, { lines }) => sum + lines, 0),
    sensitive: sensitiveKinds.filter((kind) => sensitive.has(kind)),
  };
}

/** The counts of the file with the most fixes among its last commits, by their titles; undefined if none has many. */
export function mostFixed(paths: readonly string[], commits: readonly PastCommit[]): FixCount | undefined {
  const counts = new Map(paths.map((path) => [path, { count: 0, of: 0 }]));
  for (const { title, touched } of commits)
    for (const path of touched) {
      const count = counts.get(path);
      if (count === undefined || count.of === lastCommits) continue;
      count.of += 1;
      count.count += Number(fix.test(title));
    }
  return [...counts.values()].filter(({ count }) => count >= manyFixes).sort((a, b) => b.count - a.count)[0];
}

/** Assesses the risk by fixed rules: each reason is one point, and a grave finding is two. */
export function assessRisk({ files, fixes, impact, findings }: RiskFacts): Risk {
  const reasons: string[] = [];
  // A symbol that only moved has not changed.
  const altered = impact.filter(({ change }) => change !== 'moved');
  const references = altered.reduce((most, each) => Math.max(most, each.total_references), 0);
  if (references >= manyReferences) reasons.push(`changes something that is used in ${references} places`);
  if (files?.isUntested) reasons.push('no test changed');
  if (files !== undefined && files.sensitive.length > 0)
    reasons.push(`changes ${listed(files.sensitive.map((kind) => `a ${kind}`))}`);
  if (files !== undefined && files.lines > manyLines) reasons.push(`${files.lines} changed lines`);
  if (fixes !== undefined)
    reasons.push(`changes a file with ${fixes.count} fixes in its last ${fixes.of} commits`);
  if (isGrave(findings)) reasons.push(graveReason);
  return riskBy(reasons);
}

const graveReason = 'a critical or major finding';
const isGrave = (findings: RiskFacts['findings']) =>
  findings.some(({ severity }) => severity === 'critical' || severity === 'major');

function riskBy(reasons: readonly string[]): Risk {
  const points = reasons.length + Number(reasons.includes(graveReason));
  return { level: points > 3 ? 'high' : points > 1 ? 'medium' : 'low', reasons };
}

/** The risk as it is shown to people who see only these findings. */
export function riskAsShown({ reasons }: Risk, findings: RiskFacts['findings']): Risk {
  return riskBy(isGrave(findings) ? reasons : reasons.filter((reason) => reason !== graveReason));
}

function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
