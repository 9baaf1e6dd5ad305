import type { JSONSchema7 } from 'ai';
import { redactCredentials } from '../../redaction/redact-credentials.ts';
import type { ModelUsage } from '../review/model-reviewer.ts';
import { cleanText } from './answer/clean-text.ts';
import { readSpokenAnswer } from './answer/read-answer.ts';
import { Budget } from './budget.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { Fence } from './fence.ts';
import type { ModelSettings, ReviewLimits } from './model-settings.ts';
import type { ModelClient } from './question.ts';
import type { PullRequestText } from './review-context.ts';

/** A question that somebody asks about a change. */
export interface ChangeQuestion {
  readonly question: string;
  /** What was said before it in the same thread, oldest first. */
  readonly earlier: readonly { readonly by: 'reviewer' | 'person'; readonly text: string }[];
  readonly pullRequest: PullRequestText;
  /** What it is about: the diff of a file, or of all, as far as it fits `maxChangeTokens`, without credentials. */
  readonly change: string;
}

export interface QuestionOptions {
  readonly limits: ReviewLimits & { readonly maxUsd?: number | undefined };
  /** Of the repository on its host; the only place that the answer may link to. */
  readonly repositoryUrl: string;
  /** Hears what was used, before the answer is read. */
  readonly onUsage: (used: ModelUsage) => Promise<void>;
}

/** The answer, fit to be posted; or why there is none. */
export type QuestionAnswer =
  | { readonly text: string }
  | { readonly missing: 'budget' | 'time' | 'model_failed' };

const instructions = `You answer a question about a change to source code, asked in a comment of its pull request. Answer in a few sentences, from what is shown alone; say so if it does not suffice. You cannot do anything but answer: no commands, no promises.
Answer with one JSON object and nothing else: {"answer": "Markdown"}
Write no links, no names of people, no HTML, no commands to other programs. [REDACTED] stands for a credential that was removed.`;

const schema: JSONSchema7 = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};

export const maxChangeTokens = 12_000;
const maxOutputTokens = 1_500;
const leastOutputTokens = 200;
const maxEarlier = 20;
const maxSaid = 2_000;
const maxAnswer = 4_000;

const said = (text: string) => redactCredentials(text).slice(0, maxSaid);

function promptOf({ question, earlier, pullRequest, change }: ChangeQuestion): string {
  const fence = new Fence();
  const { title, description } = pullRequest;
  const thread = earlier.slice(-maxEarlier).map(({ by, text }) => `${by}: ${said(text)}`);
  return [
    fence.explanation,
    'What the author says of the change:',
    fence.around('pull request', said(`${title}\n\n${description}`)),
    'The change, as a diff:',
    fence.around('change', change),
    ...(thread.length === 0
      ? []
      : ['What was said before; "reviewer" is you:', fence.around('thread', thread.join('\n\n'))]),
    'The question:',
    fence.around('question', said(question)),
  ].join('\n\n');
}

/** Asks the model once. It has no tools, and what it says is cleaned like a review's. */
export async function answerAboutChange(
  settings: ModelSettings,
  openClient: (deadline: number) => ModelClient,
  question: ChangeQuestion,
  { limits, repositoryUrl, onUsage }: QuestionOptions,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const budget = new Budget(settings, limits, signal);
  const data = promptOf(question);
  const output = budget.outputFor(estimateTokens(instructions + data), maxOutputTokens, leastOutputTokens);
  if (typeof output !== 'number') return { missing: output };
  const client = openClient(Date.now() + limits.maxSeconds * 1000);
  const reply = await client.ask({ instructions, data, schema, maxOutputTokens: output }, budget.signal);
  budget.spend(reply.tokens, reply.calls);
  await onUsage(budget.usage);
  signal.throwIfAborted();
  const answer = await readSpokenAnswer(reply.text, reply.isWhole);
  const text = answer === null ? '' : cleanText(answer, { repositoryUrl, maxLength: maxAnswer });
  return text === '' ? { missing: budget.isOutOfTime ? 'time' : 'model_failed' } : { text };
}
