import type { ChangeSource } from '../change/change-source.ts';
import type { CheckSettings } from '../configuration/checks-shape.ts';
import type { RunPart } from '../process/part.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import type { CheckVerdict } from '../review-report.ts';
import type { CheckFacts } from './check-facts.ts';
import { evaluateAll } from './evaluate-checks.ts';
import type { FactsRequest, SentReport } from './facts-part.ts';

const factsPart = partAt<typeof import('./facts-part.ts')>('facts-part', import.meta.url);

export interface CheckRequest {
  /** The settings of everyone who configures checks. */
  readonly settings: readonly CheckSettings[];
  readonly change: ChangeSource;
  readonly reports: readonly SentReport[];
  readonly owners: FactsRequest['owners'];
  readonly run: RunPart;
}

/** Facts that do not come from the change itself. */
export type KnownFacts = Pick<CheckFacts, 'pullRequest' | 'findings' | 'unreviewed' | 'answerTo'>;

/** Evaluates the configured checks. If the change cannot be read, the checks that need it are inconclusive. */
export async function checkChange(
  { settings, change, reports, owners, run }: CheckRequest,
  known: KnownFacts,
): Promise<readonly CheckVerdict[]> {
  if (settings.every((each) => Object.keys(each).length === 0)) return [];
  try {
    const facts = await run(factsPart, { change, reports, owners });
    return evaluateAll(settings, { ...known, unread: null, ...facts });
  } catch (error) {
    if (!(error instanceof PartEnded)) throw error;
    return evaluateAll(settings, { ...known, ...unreadChange(error.message) });
  }
}

/** The facts about a change that cannot be read: only the reason is known. */
export function unreadChange(why: string): Omit<CheckFacts, keyof KnownFacts> {
  return { unread: why, files: [], commits: [], owned: null, coverage: null, coverageFaults: [] };
}
