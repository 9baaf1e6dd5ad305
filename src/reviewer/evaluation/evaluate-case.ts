import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultConfiguration } from '../configuration/review-configuration.ts';
import type { PartRunner } from '../process/part.ts';
import { openRepository, placeOf } from '../repository/repository.ts';
import { runGit } from '../repository/run-git.ts';
import type { CoverageReason } from '../review/coverage.ts';
import { isShortfall } from '../review/coverage.ts';
import type { ModelReviewer } from '../review/model-reviewer.ts';
import { reviewChange } from '../review/review-change.ts';
import { partsOf } from '../review/review-request.ts';
import type { EvaluationCase } from './dataset.ts';
import { countMatches } from './match-findings.ts';
import type { CaseCounts } from './score.ts';

export interface EvaluatedCase extends CaseCounts {
  readonly status: 'succeeded' | 'degraded';
  readonly reason: string | null;
  /** How many files in scope were not seen whole, by reason. */
  readonly shortfalls: Readonly<Partial<Record<CoverageReason, number>>>;
  readonly files: number;
  readonly tokens: number;
  readonly costUsd: number;
}

export interface EvaluationSettings {
  readonly searchPath: string | undefined;
  readonly processes: PartRunner;
  readonly model: ModelReviewer | undefined;
  readonly signal: AbortSignal;
}

/** Reviews the change of a case with the settings that hold where nobody says anything, and compares what would be posted. */
export async function evaluateCase(
  evaluated: EvaluationCase,
  { searchPath, processes, model, signal }: EvaluationSettings,
): Promise<EvaluatedCase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-eval-'));
  try {
    const call = { folder, searchPath, signal, timeoutMs: 600_000 };
    await runGit(['init', '--quiet', '--bare', folder], call);
    await runGit(['bundle', 'unbundle', evaluated.bundle], call);
    const repository = await openRepository(folder, { searchPath, signal });
    try {
      const { base, head } = evaluated;
      const result = await reviewChange({
        change: { kind: 'commits', repository: placeOf(repository), base, head },
        configuration: defaultConfiguration,
        own: { astGrepRules: [], searchPath },
        run: partsOf(processes, { group: 'evaluation', signal }),
        model,
        signal,
      });
      const short = result.coverage.filter(isShortfall);
      const byReason = Object.entries(Object.groupBy(short, ({ reason }) => reason!));
      return {
        raised: result.findings.length,
        golden: evaluated.golden.length,
        matched: countMatches(result.findings, evaluated.golden),
        status: result.status,
        reason: result.reason,
        shortfalls: Object.fromEntries(byReason.map(([reason, files]) => [reason, files.length])),
        files: result.coverage.length,
        tokens: (result.usage?.inputTokens ?? 0) + (result.usage?.outputTokens ?? 0),
        costUsd: result.usage?.costUsd ?? 0,
      };
    } finally {
      await repository.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
