import type { Budget } from '../budget.ts';
import type { ModelTool, Question } from '../question.ts';
import { withinRoom } from './within-room.ts';

const maxRounds = 6;
/** The limits of all tool results in one call of the model; below the least, tools are not offered. */
const maxToolTokens = 40_000;
const leastToolTokens = 500;

/** The tools for a call with this input and output, and the limits of their use; none if the budget is too small. */
export function toolsWithin(
  { tokensLeft }: Budget,
  offered: readonly ModelTool[],
  { input, output }: { readonly input: number; readonly output: number },
): Pick<Question, 'tools' | 'maxRounds' | 'maxTokens' | 'maxToolTokens'> {
  // A third of the budget that the call leaves, because each round sends all earlier results again.
  const room = Math.min(maxToolTokens, Math.floor((tokensLeft - 2 * input - output) / 3));
  if (room < leastToolTokens || offered.length === 0) return {};
  return { tools: withinRoom(offered, room), maxRounds, maxTokens: tokensLeft, maxToolTokens: room };
}
