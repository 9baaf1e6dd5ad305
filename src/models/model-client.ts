import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { streamingFetch } from '../outbound/streaming-fetch.ts';
import { estimateTokens, type TokenCounts } from '../reviewer/model/estimate-tokens.ts';
import type { ModelSettings } from '../reviewer/model/model-settings.ts';
import type { ModelClient, ModelTool, Question, Reply } from '../reviewer/model/question.ts';
import { redactStrings } from '../reviewer/model/redact-strings.ts';
import { patientFetch } from './patient-fetch.ts';
import { learnQuirk, noQuirks, type Quirks } from './quirks.ts';

type Library = typeof import('ai');

export interface ClientOptions {
  /** Until when calls may be repeated and must end. */
  readonly deadline: number;
  /** How long the server may stay silent; a model on a small machine reads a prompt for minutes. */
  readonly idleTimeoutMs?: number;
  readonly firstPauseMs?: number;
}

const defaultIdleTimeoutMs = 180_000;
const defaultFirstPauseMs = 1_000;

/** Opens clients for the model of the settings, each with its deadline. */
export function clientOf(
  settings: ModelSettings,
  outbound: Outbound,
  patience: Pick<ClientOptions, 'idleTimeoutMs' | 'firstPauseMs'> = {},
): (deadline: number) => ModelClient {
  return (deadline) => createModelClient(settings, outbound, { deadline, ...patience });
}

/** A client for the model of the settings. The library behind it is loaded with the first question. */
export function createModelClient(
  settings: ModelSettings,
  outbound: Outbound,
  options: ClientOptions,
): ModelClient {
  let quirks: Quirks = noQuirks;
  let isWhole = false;
  const patient = patientFetch(
    streamingFetch(outbound, {
      timeoutMs: Math.max(options.deadline - Date.now(), 1),
      idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    }),
    { firstPauseMs: options.firstPauseMs ?? defaultFirstPauseMs, deadline: options.deadline },
  );
  const send: typeof fetch = async (input, init) => {
    const answer = await patient(input, init);
    isWhole = answer.ok && /^application\/json\b/.test(answer.headers.get('content-type') ?? '');
    return answer;
  };

  async function ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const library = await import('ai');
    // Its warnings would go to the terminal.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    for (;;) {
      const model = await languageModel(settings, send, quirks);
      const heard = await listen(library, model, question, signal, quirks);
      const isMisheard = isWhole && heard.text === '' && !quirks.isSilent;
      const learned = isMisheard ? { ...quirks, isSilent: true } : learnQuirk(quirks, heard.error, library);
      if (learned === undefined || signal.aborted) return replyOf(heard, question, library);
      quirks = learned;
    }
  }
  return { ask };
}

async function languageModel(
  { kind, url, name, apiKey }: ModelSettings,
  send: typeof fetch,
  quirks: Quirks,
): Promise<LanguageModel> {
  if (kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: url, apiKey: apiKey ?? '', fetch: send })(name);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: url,
    fetch: send,
    includeUsage: !quirks.isPlain,
    supportsStructuredOutputs: true,
    ...(apiKey === undefined ? {} : { apiKey }),
    transformRequestBody: ({ max_tokens, ...body }) =>
      quirks.hasCompletionTokens ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens },
  });
  return provider.chatModel(name);
}

interface Heard {
  text: string;
  isWhole: boolean;
  error: unknown;
  tokens: TokenCounts | undefined;
  calls: number;
}

/** Asks and takes down what comes, until the end or until it breaks off. */
async function listen(
  library: Library,
  model: LanguageModel,
  question: Question,
  signal: AbortSignal,
  quirks: Quirks,
): Promise<Heard> {
  const heard: Heard = { text: '', isWhole: false, error: undefined, tokens: undefined, calls: 0 };
  const asked = askOf(library, model, question, signal, quirks);
  try {
    if (quirks.isSilent) return await hearAll(library, asked, heard);
    for await (const part of library.streamText({ ...asked, onError() {} }).fullStream) {
      if (part.type === 'start-step') {
        heard.text = '';
        heard.calls += 1;
      } else if (part.type === 'text-delta') heard.text += part.text;
      else if (part.type === 'error') heard.error ??= part.error;
      else if (part.type === 'finish') heard.isWhole = part.finishReason === 'stop';
      else if (part.type === 'finish-step') addTokens(heard, part.usage);
    }
  } catch (error) {
    heard.error ??= error;
  }
  return heard;
}

/** For servers that do not stream. */
async function hearAll(library: Library, asked: ReturnType<typeof askOf>, heard: Heard): Promise<Heard> {
  heard.calls = 1;
  const { text, finishReason, totalUsage, steps } = await library.generateText(asked);
  addTokens(heard, totalUsage);
  return { ...heard, text, isWhole: finishReason === 'stop', calls: steps.length };
}

function addTokens(
  heard: Heard,
  usage: { inputTokens: number | undefined; outputTokens: number | undefined },
): void {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
  heard.tokens = {
    inputTokens: (heard.tokens?.inputTokens ?? 0) + (usage.inputTokens ?? 0),
    outputTokens: (heard.tokens?.outputTokens ?? 0) + (usage.outputTokens ?? 0),
  };
}

function askOf(
  library: Library,
  model: LanguageModel,
  question: Question,
  signal: AbortSignal,
  quirks: Quirks,
) {
  const { tools = [], maxRounds = 0, maxTokens = Number.POSITIVE_INFINITY, maxToolTokens = 0 } = question;
  let first: number | undefined;
  return {
    model,
    system: question.instructions,
    prompt: question.data,
    maxOutputTokens: question.maxOutputTokens,
    maxRetries: 0, // patient-fetch.ts repeats, and knows how much time is left.
    abortSignal: signal,
    ...(quirks.isPlain
      ? {}
      : { output: library.Output.object({ schema: library.jsonSchema(question.schema) }) }),
    ...(tools.length === 0
      ? {}
      : {
          tools: toolSet(library, tools),
          stopWhen: library.stepCountIs(maxRounds + 1),
          prepareStep: ({ steps, messages }: StepBefore) => {
            const next = estimateTokens(question.instructions + JSON.stringify(messages));
            first ??= next;
            const used = steps.reduce((sum, { usage }) => sum + (usage.totalTokens ?? next), 0);
            // This step and one more, in which it answers, with all that tools may still say in between.
            const open = Math.max(0, maxToolTokens - (next - first));
            const isLast =
              steps.length >= maxRounds || used + 2 * next + open + question.maxOutputTokens > maxTokens;
            return { messages: messages.map(redactCalls), ...(isLast ? { activeTools: [] } : {}) };
          },
        }),
  };
}

interface StepBefore {
  readonly steps: readonly { readonly usage: { readonly totalTokens: number | undefined } }[];
  readonly messages: readonly ModelMessage[];
}

/** What the model asked of tools goes back to it with their answers, and is redacted like everything that goes out. */
function redactCalls(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || typeof message.content === 'string') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, input: redactStrings(part.input) } : part,
  );
  return { ...message, content };
}

function toolSet(library: Library, tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema, run }) => [
      name,
      library.dynamicTool({
        description,
        inputSchema: library.jsonSchema(inputSchema),
        execute: (input, { abortSignal }) => run(input, abortSignal ?? new AbortController().signal),
      }),
    ]),
  );
}

function replyOf(heard: Heard, { instructions, data }: Question, library: Library): Reply {
  const { text, calls, error } = heard;
  const estimated = {
    inputTokens: text === '' && error !== undefined ? 0 : estimateTokens(instructions + data),
    outputTokens: estimateTokens(text),
  };
  const isRefusal = library.APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400;
  const status = isRefusal ? error.statusCode : undefined;
  return {
    text,
    isWhole: heard.isWhole && error === undefined,
    fault: error === undefined ? undefined : faultOf(error, status),
    isHopeless: status !== undefined && [400, 401, 402, 403, 404].includes(status),
    tokens: heard.tokens ?? estimated,
    calls,
  };
}

const statusWords: Readonly<Record<number, string>> = {
  401: ', the key is refused',
  402: ', it has to be paid for',
  403: ', the key is refused',
  404: ', the model or the address is unknown there',
  429: ', too many requests',
};

/**
 * One line for people, in our words: it stands in the verdict of a review, and what a server says can repeat what the model
 * was shown.
 */
function faultOf(error: unknown, status: number | undefined): string {
  if (status !== undefined) return `its server answered ${status}${statusWords[status] ?? ''}`;
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof OutboundError) return inner.message;
  return 'its answer broke off or could not be read';
}
