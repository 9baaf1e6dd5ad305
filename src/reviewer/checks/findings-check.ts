import type { Wanted } from '../configuration/checks-shape.ts';
import { severities } from '../finding-vocabulary.ts';
import { type CheckFacts, failed, inconclusive, type Outcome, passed } from './check-facts.ts';

export function checkFindings(settings: Wanted<'findings'>, { findings, unreviewed }: CheckFacts): Outcome {
  const counts = severities
    .filter((severity) => settings[severity] !== undefined)
    .map((severity) => ({
      severity,
      is: findings.filter((found) => found === severity).length,
      allowed: settings[severity]!,
    }));
  const exceeded = counts.filter(({ is, allowed }) => is > allowed);
  if (exceeded.length === 0 && unreviewed !== null) return inconclusive(unreviewed);
  if (exceeded.length === 0)
    return passed(
      counts.length === 0
        ? 'No severity has a limit.'
        : `Open: ${counts.map(({ severity, is }) => `${is} ${severity}`).join(', ')}.`,
    );
  return failed(
    `Open: ${exceeded.map(({ severity, is, allowed }) => `${is} ${severity}, ${allowed} allowed`).join('; ')}.`,
  );
}
