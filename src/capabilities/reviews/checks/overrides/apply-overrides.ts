import type { CheckVerdict } from '../../../../reviewer/review-report.ts';
import type { Override } from '../../check-records/override-store.ts';

/** Lets overridden checks count as passed, unless they pass anyway. */
export function applyOverrides(
  verdicts: readonly CheckVerdict[],
  overrides: readonly Override[],
): CheckVerdict[] {
  return verdicts.map((check) => {
    const { verdict, text } = check;
    const found = overrides.find((override) => override.check === check.name);
    if (found === undefined || (verdict !== 'failed' && verdict !== 'inconclusive')) return check;
    const { actor, reason, createdAt } = found;
    return {
      ...check,
      verdict: 'passed',
      text: `Overridden by ${actor.name}: ${reason}`,
      overridden: { by: actor.name, reason, at: createdAt.toISOString(), verdict, text },
    };
  });
}
