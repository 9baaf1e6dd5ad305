import type { Tx } from '../../../db/database.ts';
import { answerTexts, helpText } from '../answers/answer-texts.ts';
import type { Command } from '../comments/read-address.ts';
import type { ConversationDeps, Scene } from '../conversation-deps.ts';
import { orderFix } from './answer-fix.ts';
import { captureLearning } from './capture-learning.ts';
import {
  changeOf,
  type Done,
  type Order,
  orderIgnore,
  orderPause,
  orderResume,
  orderReview,
  unchanged,
} from './carry-out.ts';
import { orderOverride } from './order-override.ts';
import { resolveThreads } from './resolve-threads.ts';

type Step = (tx: Tx) => Promise<Done>;

/**
 * Does the parts of commands outside of the database, which may be repeated, and returns the rest, which is done once in a
 * transaction.
 */
export async function prepareCommands(
  deps: ConversationDeps,
  scene: Scene,
  order: Order,
  commands: readonly Command[],
): Promise<Step> {
  const steps: Step[] = [];
  for (const [index, command] of commands.entries())
    steps.push(await prepare(deps, scene, order, command, index));
  return async (tx) => {
    const done: Done[] = [];
    for (const step of steps) done.push(await step(tx));
    return {
      answer: done.map(({ answer }) => answer).join('\n\n'),
      changes: done.flatMap(({ changes }) => changes),
    };
  };
}

async function prepare(
  deps: ConversationDeps,
  scene: Scene,
  order: Order,
  { name, text }: Command,
  index: number,
): Promise<Step> {
  switch (name) {
    case 'review':
      return (tx) => orderReview(tx, deps, scene, order, 'incremental');
    case 'full review':
      return (tx) => orderReview(tx, deps, scene, order, 'full');
    case 'pause':
      return (tx) => orderPause(tx, scene, order);
    case 'resume':
      return (tx) => orderResume(tx, deps, scene, order);
    case 'ignore':
      return (tx) => orderIgnore(tx, deps, scene, order);
    case 'fix':
      return orderFix(deps, scene, order);
    case 'override':
      return orderOverride(deps, scene, order, text);
    case 'help':
      return async () => unchanged(helpText(deps.model?.ask !== undefined));
    case 'resolve': {
      const answer = await resolveThreads(scene, order.said);
      const isDone = answer === answerTexts.resolved || answer === answerTexts.resolvedOne;
      return async () => ({ answer, changes: isDone ? [changeOf(scene, 'threads_resolved')] : [] });
    }
    case 'remember': {
      const occasion = `remember ${order.said.key} ${index}`;
      const answer = await captureLearning(deps, scene, order.said, occasion, text);
      return async () => unchanged(answer);
    }
  }
}
