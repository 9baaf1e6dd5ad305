import { missingAnswers } from '../../checks/check-answer.ts';
import { inconclusive, type Outcome, skipped } from '../../checks/check-facts.ts';
import type { CheckQuestion } from '../../checks/check-question.ts';
import { questionsOf } from '../../checks/evaluate-checks.ts';
import { maxShownTokens } from '../../model/answering/answer-check.ts';
import { partAt } from '../../process/part.ts';
import { PartEnded } from '../../process/part-failure.ts';
import type { ReviewRequest } from '../review-request.ts';

const showPart = partAt<typeof import('./show-part.ts')>('show-part', import.meta.url);

/** Asks the model of a review the questions of its checks; without a model they are skipped. */
export async function askHere({
  model,
  configuration,
  change,
  run,
}: Pick<ReviewRequest, 'model' | 'configuration' | 'change' | 'run'>): Promise<
  (question: CheckQuestion) => Outcome
> {
  const questions = questionsOf([configuration.checks]);
  const isOff = model?.judge === undefined || !configuration.reviews.model.enabled;
  if (isOff || questions.length === 0) return () => skipped('This check needs a model.');
  const names = questions.map(({ name }) => name);
  const shown = await run(showPart, { change, configuration, maxTokens: maxShownTokens, names }).catch(
    (error: unknown) => {
      if (error instanceof PartEnded) return `The change could not be read: ${error.message}.`;
      throw error;
    },
  );
  const answers = new Map<string, Outcome>();
  for (const question of questions) {
    const answer = typeof shown === 'string' ? inconclusive(shown) : await model.judge!(question, shown);
    const outcome = 'missing' in answer ? inconclusive(missingAnswers[answer.missing]) : answer;
    answers.set(JSON.stringify(question), outcome);
  }
  return ({ name, instructions }) => answers.get(JSON.stringify({ name, instructions }))!;
}
