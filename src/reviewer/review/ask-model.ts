import { type FileCoverage, isShortfall, isShortOfRules } from '../coverage.ts';
import type { Finding } from '../finding.ts';
import { readGuidelines } from '../model/guidelines/read-guidelines.ts';
import { repositoryBehind } from '../model/model-repository.ts';
import type { ModelAnswer } from '../model/model-reviewer.ts';
import { partAt } from '../process/part.ts';
import { PartEnded } from '../process/part-failure.ts';
import type { Sight } from '../sight.ts';
import type { RulePart } from './ask-rules.ts';
import type { ReviewRequest } from './review-request.ts';

/** The result of the model; plain JSON, because it is stored as a stage. */
export interface ModelPart {
  readonly answer?: ModelAnswer;
  readonly findings: readonly Finding[];
  readonly coverage: readonly FileCoverage[];
  readonly failures: readonly string[];
  /** Other notes for the reader; absent in results that an earlier version stored. */
  readonly notes?: readonly string[];
}

const focusPart = partAt<typeof import('../model/showing/focus-part.ts')>(
  '../model/showing/focus-part',
  import.meta.url,
);
const packPart = partAt<typeof import('../model/showing/pack-part.ts')>(
  '../model/showing/pack-part',
  import.meta.url,
);
const acceptPart = partAt<typeof import('../model/answer/accept-part.ts')>(
  '../model/answer/accept-part',
  import.meta.url,
);
const placePart = partAt<typeof import('./place-part.ts')>('place-part', import.meta.url);

/** Lets the model, if there is one, review the files in scope. Its failures degrade the result instead of failing the review. */
export async function askModel(
  request: ReviewRequest,
  withHunks: readonly string[],
  { coverage, findings }: RulePart,
  sight: Sight | null,
): Promise<ModelPart> {
  const { model, configuration, deadline, change, since, lineages = {} } = request;
  if (model === undefined || !configuration.reviews.model.enabled)
    return { findings: [], coverage, failures: [] };
  const signal = deadline === undefined ? request.signal : AbortSignal.any([request.signal, deadline]);
  const skipped = new Set(
    coverage
      .filter(({ state, reason }) => state === 'skipped' && reason !== 'no_rule_for_language')
      .map(({ path }) => path),
  );
  const seeable = withHunks.filter((path) => !skipped.has(path));
  let files = seeable;
  try {
    if (since != null) files = await request.run(focusPart, { change, since, paths: seeable });
    if (files.length === 0) return { findings: [], coverage, failures: [] };
    const { guidelines, notes } = await readGuidelines(request, files);
    const answer = await model.review(
      {
        files,
        configuration,
        ruleFindings: [...findings, ...(sight?.findings ?? [])],
        guidelines,
        repository: repositoryBehind(request.run, { change, since, files, sight }),
        deadline,
        show: ({ file, part, dividedBy }, maxTokens) =>
          request.run(packPart, { change, since, paths: files.slice(file), part, dividedBy, maxTokens }),
        accept: (reply) => request.run(acceptPart, { change, ...reply }),
      },
      signal,
    );
    const placed =
      answer.findings.length === 0
        ? []
        : await request.run(
            placePart,
            { change, answers: answer.findings, paths: files, lineages, model: model.name },
            { deadline: undefined },
          );
    const confirmed = placed.length === 0 ? undefined : await model.confirm?.(placed, signal);
    return {
      answer: { ...answer, usage: confirmed?.usage ?? answer.usage },
      findings: placed.filter(({ identity }) => confirmed?.kept.has(identity) ?? true),
      coverage: coverageWithModel(coverage, files, answer),
      failures: answer.failures ?? [],
      notes: [...notes, ...(answer.notes ?? [])],
    };
  } catch (error) {
    request.signal.throwIfAborted();
    const isLate = deadline?.aborted === true;
    const reason = error instanceof PartEnded ? error.limit : isLate ? 'time' : 'model_failed';
    const names = new Set(files);
    const fallen = coverage.map(
      (entry): FileCoverage =>
        names.has(entry.path) && !isShortfall(entry) ? { path: entry.path, state: 'partial', reason } : entry,
    );
    return {
      findings: [],
      coverage: fallen,
      failures: [
        isLate ? 'the model took too long' : `the model failed: ${(error as Error).message.slice(0, 200)}`,
      ],
    };
  }
}

/** A file that the model reviewed is covered, whatever its language. */
function coverageWithModel(
  coverage: readonly FileCoverage[],
  files: readonly string[],
  { shortfalls }: ModelAnswer,
): FileCoverage[] {
  const seen = new Set(files);
  const short = new Map(shortfalls.map((entry) => [entry.path, entry]));
  return coverage.map((entry): FileCoverage => {
    if (!seen.has(entry.path) || isShortOfRules(entry)) return entry;
    const shortfall = short.get(entry.path);
    return shortfall === undefined
      ? { path: entry.path, state: 'full', reason: null }
      : { ...shortfall, state: 'partial' };
  });
}
