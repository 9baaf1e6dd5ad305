import type { EvaluationCase } from '../../reviewer/evaluation/dataset.ts';
import { evaluateCase } from '../../reviewer/evaluation/evaluate-case.ts';
import type { ReviewProcesses } from '../../reviewer/process/part.ts';
import type { LocalModel } from '../reviews/local-model.ts';
import { type Report, reportOn } from './report.ts';
import { type CaseResult, keyOf, ResultsFile } from './results-file.ts';

export interface Evaluation {
  readonly cases: readonly EvaluationCase[];
  readonly model: LocalModel | undefined;
  readonly modelName: string;
  readonly maxUsd: number | undefined;
  readonly resultsFile: string;
  readonly isFresh: boolean;
  readonly searchPath: string | undefined;
  readonly processes: ReviewProcesses;
  onProgress(done: number, total: number): void;
}

/** Evaluates the cases one by one, stores each result at once, and stops before the cost limit is exceeded. */
export async function runEvaluation(evaluation: Evaluation): Promise<Report> {
  const { cases, model, modelName, maxUsd = Number.POSITIVE_INFINITY } = evaluation;
  const file = await ResultsFile.open(evaluation.resultsFile, evaluation.isFresh);
  const results: CaseResult[] = [];
  let spent = 0;
  let leftOut = 0;
  for (const [index, evaluated] of cases.entries()) {
    evaluation.onProgress(index, cases.length);
    const key = keyOf(evaluated, modelName);
    const known = file.find(key);
    if (known !== undefined) results.push(known);
    else if (spent >= maxUsd) leftOut += 1;
    else {
      const result = await resultOf(evaluated, key, evaluation, maxUsd - spent);
      if (!('error' in result)) spent += result.costUsd;
      results.push(result);
      await file.add(result);
    }
  }
  evaluation.onProgress(cases.length, cases.length);
  return reportOn(results, cases, model === undefined ? 'rules only' : modelName, leftOut);
}

/**
 * Evaluates a case. One that cannot be evaluated, such as one with a broken bundle, gives an error result and does not stop
 * the others.
 */
async function resultOf(
  evaluated: EvaluationCase,
  key: string,
  { searchPath, model, processes }: Evaluation,
  maxUsd: number,
): Promise<CaseResult> {
  try {
    const figures = await evaluateCase(evaluated, {
      searchPath,
      processes,
      model: model?.reviewer({ maxUsd }),
      signal: new AbortController().signal,
    });
    return { name: evaluated.name, key, ...figures };
  } catch (error) {
    return { name: evaluated.name, key, error: (error as Error).message.split('\n')[0]!.slice(0, 300) };
  }
}
