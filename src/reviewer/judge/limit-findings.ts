import { severities } from '../finding-vocabulary.ts';
import type { RuleFinding } from '../rules/rule-source.ts';

/** More help nobody, and each costs time to place, to store and to show. */
export const maxFindingsAFile = 200;
export const maxFindingsARun = 1_000;

const isSecret = ({ rule }: Pick<RuleFinding, 'rule'>) => rule.startsWith('secrets/');

/** Keeps the worst of a file, then by line. Credentials are kept whatever else there is, as many as a run may have. */
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
