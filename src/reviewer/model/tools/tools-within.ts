import type { Budget } from '../budget.ts';
import type { ModelTool, Question } from '../question.ts';
import { withinRoom } from './within-room.ts';

const maxRounds = 6;
/** What tools can say in one call of the model; less than the least says nothing. */
const maxToolTokens = 40_000;
const leastToolTokens = 500;

/** The tools of one call that shows and answers so much, and how far it may go with them; none where there is no room. */
export function toolsWithin(
  { tokensLeft }: Budget,
  offered: readonly ModelTool[],
  { input, output }: { readonly input: number; readonly output: number },
): Pick<Question, 'tools' | 'maxRounds' | 'maxTokens' | 'maxToolTokens'> {
  // A third of what the call leaves of the budget: each round shows again what was shown before.
  const room = Math.min(maxToolTokens, Math.floor((tokensLeft - 2 * input - output) / 3));
  if (room < leastToolTokens || offered.length === 0) return {};
  return { tools: withinRoom(offered, room), maxRounds, maxTokens: tokensLeft, maxToolTokens: room };
}
