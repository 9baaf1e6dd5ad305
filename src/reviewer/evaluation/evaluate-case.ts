import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultConfiguration } from '../configuration/review-configuration.ts';
import type { CoverageReason } from '../coverage.ts';
import { isShortfall } from '../coverage.ts';
import type { ModelReviewer } from '../model/model-reviewer.ts';
import type { PartRunner } from '../process/part.ts';
import { partsOf } from '../process/part.ts';
import { openRepository, placeOf } from '../repository/repository.ts';
import { runGit } from '../repository/run-git.ts';
import { reviewChange } from '../review/review-change.ts';
import type { EvaluationCase } from './dataset.ts';
import { countMatches, type RaisedFinding } from './match-findings.ts';
import type { CaseCounts } from './score.ts';

export interface EvaluatedCase extends CaseCounts {
  readonly status: 'succeeded' | 'degraded';
  readonly reason: string | null;
  /** The number of files in scope that were not fully reviewed, by reason. */
  readonly shortfalls: Readonly<Partial<Record<CoverageReason, number>>>;
  /** The number of findings by rule, or model. */
  readonly rules: Readonly<Record<string, number>>;
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

/** Reviews the change of a case with the default configuration, and compares its findings with the expected ones. */
export async function evaluateCase(
  evaluated: EvaluationCase,
  { searchPath, processes, model, signal }: EvaluationSettings,
): Promise<EvaluatedCase> {
  const { from } = evaluated;
  const folder = from.kind === 'repository' ? undefined : await unpack(from.file, { searchPath, signal });
  try {
    const place = from.kind === 'repository' ? from.folder : folder!;
    const repository = await openRepository(place, { searchPath, signal });
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
        ...countPlaces(result.findings, evaluated),
        status: result.status,
        reason: result.reason,
        rules: countBy(result.findings.map(({ source }) => source.name)),
        shortfalls: Object.fromEntries(byReason.map(([reason, files]) => [reason, files.length])),
        files: result.coverage.length,
        tokens: (result.usage?.inputTokens ?? 0) + (result.usage?.outputTokens ?? 0),
        costUsd: result.usage?.costUsd ?? 0,
      };
    } finally {
      await repository.close();
    }
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function unpack(bundle: string, settings: Pick<EvaluationSettings, 'searchPath' | 'signal'>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-eval-'));
  const call = { folder, ...settings, timeoutMs: 600_000 };
  try {
    await runGit(['init', '--quiet', '--bare', folder], call);
    await runGit(['bundle', 'unbundle', bundle], call);
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function countPlaces(
  findings: readonly RaisedFinding[],
  { golden, isOneOf }: EvaluationCase,
): Pick<CaseCounts, 'golden' | 'matched'> {
  const matched = countMatches(findings, golden);
  return isOneOf
    ? { golden: Math.min(golden.length, 1), matched: Math.min(matched, 1) }
    : { golden: golden.length, matched };
}

function countBy(names: readonly string[]): Record<string, number> {
  const groups = Object.entries(Object.groupBy(names, (name) => name));
  return Object.fromEntries(groups.map(([name, same]) => [name, same!.length]));
}
