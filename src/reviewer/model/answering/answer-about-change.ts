import type { JSONSchema7 } from 'ai';
import { redactCredentials } from '../../../redaction/redact-credentials.ts';
import { cleanText } from '../answer/clean-text.ts';
import { readSpokenAnswer } from '../answer/read-answer.ts';
import { Budget } from '../budget.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { Fence } from '../fence.ts';
import type { Guideline } from '../guidelines/guideline.ts';
import type { ModelRepository, ModelUsage } from '../model-reviewer.ts';
import { defaultContextTokens, type ModelSettings, type ReviewLimits } from '../model-settings.ts';
import { contextBlocks, guidelineBlocks } from '../prompt.ts';
import type { ModelClient } from '../question.ts';
import type { PullRequestText } from '../review-context.ts';
import type { FilePart } from '../showing/show-file.ts';
import { type Beside, nothingBeside, Surroundings } from '../surroundings.ts';
import { RepositoryTools } from '../tools/repository-tools.ts';
import { toolsWithin } from '../tools/tools-within.ts';

/** A question that somebody asks about a change. */
export interface ChangeQuestion {
  readonly question: string;
  /** The earlier comments of the same thread, oldest first. */
  readonly earlier: readonly { readonly by: 'reviewer' | 'person'; readonly text: string }[];
  readonly pullRequest: PullRequestText;
  /** The diff of the file in question, or of all files, up to `maxChangeTokens`, without credentials. */
  readonly change: readonly FilePart[];
  /** The guidelines of the maintainers that may apply to the change. */
  readonly guidelines?: readonly Guideline[];
  /** The repository behind the change. */
  readonly repository?: ModelRepository | undefined;
}

export interface QuestionOptions {
  readonly limits: ReviewLimits & { readonly maxUsd?: number | undefined };
  /** The URL of the repository on its host; the answer may link to nothing else. */
  readonly repositoryUrl: string;
  /** Called with the usage before the answer is parsed. */
  readonly onUsage: (used: ModelUsage) => Promise<void>;
}

/** The answer, sanitized for posting; or why there is none. */
export type QuestionAnswer =
  | { readonly text: string }
  | { readonly missing: 'budget' | 'time' | 'model_failed' };

const instructions = `You answer a question about a change to source code, asked in a comment of its pull request. Answer in a few sentences, from what is shown and what tools tell you, where they are offered; say so if it does not suffice. You cannot do anything but look things up and answer: no commands, no promises.
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

function promptOf(
  { question, earlier, pullRequest, change }: ChangeQuestion,
  { guidelines, context }: Beside,
  fence: Fence,
): string {
  const { title, description } = pullRequest;
  const thread = earlier.slice(-maxEarlier).map(({ by, text }) => `${by}: ${said(text)}`);
  return [
    fence.explanation,
    ...guidelineBlocks(guidelines, 'Answer in their spirit.'),
    'What the author says of the change:',
    fence.around('pull request', said(`${title}\n\n${description}`)),
    'The change, as a diff:',
    fence.around('change', change.map(({ text }) => text).join('\n\n')),
    ...contextBlocks(context, fence, ''),
    ...(thread.length === 0
      ? []
      : ['What was said before; "reviewer" is you:', fence.around('thread', thread.join('\n\n'))]),
    'The question:',
    fence.around('question', said(question)),
  ].join('\n\n');
}

/** Asks the model once. It can use the repository tools as in a review, and its answer is sanitized as in a review. */
export async function answerAboutChange(
  settings: ModelSettings,
  openClient: (deadline: number) => ModelClient,
  question: ChangeQuestion,
  { limits, repositoryUrl, onUsage }: QuestionOptions,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const budget = new Budget(settings, limits, signal);
  const fence = new Fence();
  const tokensOf = (data: string) => estimateTokens(instructions + data);
  const outputFor = (input: number) => budget.outputFor(input, maxOutputTokens, leastOutputTokens);
  const least = tokensOf(promptOf(question, nothingBeside, fence));
  const affordable = outputFor(least);
  if (typeof affordable !== 'number') return { missing: affordable };
  // Context must not reduce the tokens for the answer.
  const surroundings = new Surroundings(question, limits.contextTokens ?? defaultContextTokens);
  const beside = await surroundings.of({ parts: question.change }, budget.inputFor(affordable) - least);
  const data = promptOf(question, beside, fence);
  const input = tokensOf(data);
  const output = outputFor(input);
  if (typeof output !== 'number') return { missing: output };
  const tools = new RepositoryTools(question.repository?.lookUp);
  const client = openClient(Date.now() + limits.maxSeconds * 1000);
  const reply = await client.ask(
    {
      instructions,
      data,
      schema,
      maxOutputTokens: output,
      ...toolsWithin(budget, tools.offer(fence), { input, output }),
    },
    budget.signal,
  );
  budget.spend(reply.tokens, reply.calls, tools.calls);
  await onUsage(budget.usage);
  signal.throwIfAborted();
  const answer = await readSpokenAnswer(reply.text, reply.isWhole);
  const text = answer === null ? '' : cleanText(answer, { repositoryUrl, maxLength: maxAnswer });
  return text === '' ? { missing: budget.isOutOfTime ? 'time' : 'model_failed' } : { text };
}
