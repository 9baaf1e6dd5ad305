import type { Finding } from '../finding.ts';
import { severities } from '../finding-vocabulary.ts';
import type { RuleFinding } from '../rule-source.ts';
import { worstFirst } from './judge.ts';

/** More findings help nobody, and each costs time to place, store and show. */
export const maxFindingsAFile = 200;
export const maxFindingsARun = 1_000;

const isSecret = ({ rule }: Pick<RuleFinding, 'rule'>) => rule.startsWith('secrets/');

/** Keeps the worst findings of a file; of equals, the first. Credentials are always kept, up to the limit of a run. */
export function limitFindings(found: readonly RuleFinding[], max = maxFindingsAFile): readonly RuleFinding[] {
  if (found.length <= max) return found;
  const ranked = found.toSorted(
    (a, b) =>
      Number(isSecret(b)) - Number(isSecret(a)) ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      a.startLine - b.startLine,
  );
  const secrets = Math.min(found.filter(isSecret).length, maxFindingsARun);
  const kept = new Set(ranked.slice(0, Math.max(max, secrets)));
  return found.filter((finding) => kept.has(finding));
}

/** Keeps the worst findings of the whole change, up to the limits per file and run; `short` has the files that lost some. */
export function keepWorst(findings: readonly Finding[]): {
  readonly findings: readonly Finding[];
  readonly short: ReadonlySet<string>;
} {
  const byPath = Map.groupBy(findings.toSorted(worstFirst), ({ path }) => path);
  const ofFiles = [...byPath.values()].flatMap((own) => own.slice(0, maxFindingsAFile));
  const kept = ofFiles.toSorted(worstFirst).slice(0, maxFindingsARun);
  const keptOf = Map.groupBy(kept, ({ path }) => path);
  const short = [...byPath].filter(([path, own]) => own.length > (keptOf.get(path)?.length ?? 0));
  return { findings: kept, short: new Set(short.map(([path]) => path)) };
}
