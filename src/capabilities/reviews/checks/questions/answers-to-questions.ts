import type { Db } from '../../../../db/database.ts';
import { missingAnswers } from '../../../../reviewer/checks/check-answer.ts';
import { inconclusive, type Outcome } from '../../../../reviewer/checks/check-facts.ts';
import type { CheckQuestion } from '../../../../reviewer/checks/check-question.ts';
import type { ReviewConfiguration } from '../../../../reviewer/configuration/review-configuration.ts';
import type { InstallationModel } from '../../gathering/organization-model.ts';
import type { ReviewedPullRequest } from '../../reviewed-pull-requests/pull-request-facts.ts';
import { digestOf, isDue, type StoredAnswer } from './answer-store.ts';
import { whyNotAsked } from './why-not-asked.ts';

/** The model's answers about a head so far, and whether any question has to be asked. */
export async function answersToQuestions(
  db: Db,
  model: InstallationModel | undefined,
  { pull, answers }: { readonly pull: ReviewedPullRequest; readonly answers: readonly StoredAnswer[] },
  configuration: ReviewConfiguration,
  mergeBase: string | undefined,
  questions: readonly CheckQuestion[],
  now: Date,
): Promise<{ readonly answerTo: (question: CheckQuestion) => Outcome; readonly isAsking: boolean }> {
  const why = questions.length === 0 ? null : await whyNotAsked(db, model, pull, configuration);
  if (model === undefined || why !== null || mergeBase === undefined)
    return { answerTo: () => inconclusive(why ?? 'No model was asked.'), isAsking: false };
  const known = (question: CheckQuestion) => {
    const digest = digestOf(model.name, mergeBase, question);
    return answers.find((answer) => answer.digest === digest);
  };
  return {
    answerTo(question) {
      const answer = known(question);
      if (answer?.outcome) return answer.outcome;
      return inconclusive(answer?.fault ? missingAnswers[answer.fault] : 'The model has not answered yet.');
    },
    isAsking: questions.some((question) => isDue(known(question), now)),
  };
}
