import type { Severity } from '../finding-vocabulary.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import type { CheckVerdict } from '../report/report.ts';
import type { ReviewRequest } from '../review/review-request.ts';
import { evaluateChecks } from './evaluate-checks.ts';

const factsPart = partAt<typeof import('./facts-part.ts')>('facts-part', import.meta.url);

/** Evaluates the checks that the configuration asks for. */
export async function checkChange(
  { configuration, checks, change, run }: ReviewRequest,
  findings: readonly Severity[],
): Promise<readonly CheckVerdict[]> {
  const settings = configuration.checks;
  if (checks === undefined || Object.keys(settings).length === 0) return [];
  try {
    const facts = await run(factsPart, { change, reports: checks.coverage });
    return evaluateChecks(settings, { ...facts, findings });
  } catch (error) {
    if (!(error instanceof PartEnded)) throw error;
    const nothing = { files: [], commits: [], findings, coverage: null, coverageFaults: [] };
    const text = `The change could not be read for it: ${error.message}.`;
    return evaluateChecks(settings, nothing).map((check) => ({ ...check, verdict: 'inconclusive', text }));
  }
}
