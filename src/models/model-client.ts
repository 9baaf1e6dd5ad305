import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Outbound } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import { streamingFetch } from '../outbound/streaming-fetch.ts';
import { estimateTokens, type TokenCounts } from '../reviewer/model/estimate-tokens.ts';
import type { ModelSettings } from '../reviewer/model/model-settings.ts';
import type { ModelClient, ModelTool, Question, Reply } from '../reviewer/model/question.ts';
import { redactStrings } from '../reviewer/model/redact-strings.ts';
import { learnQuirk, noQuirks, type Quirks } from './quirks.ts';
import { retryingFetch } from './retrying-fetch.ts';

type Library = typeof import('ai');

export interface ClientOptions {
  /** Calls must end, and retries must begin, before this time in ms since the epoch. */
  readonly deadline: number;
  /** Timeout without any data from the server; a model on a small machine takes minutes to read a prompt. */
  readonly idleTimeoutMs?: number;
  readonly firstPauseMs?: number;
}

const defaultIdleTimeoutMs = 180_000;
const defaultFirstPauseMs = 1_000;

/** Returns a function that creates clients for the configured model, each with its own deadline. */
export function clientOf(
  settings: ModelSettings,
  outbound: Outbound,
  timing: Pick<ClientOptions, 'idleTimeoutMs' | 'firstPauseMs'> = {},
): (deadline: number) => ModelClient {
  return (deadline) => createModelClient(settings, outbound, { deadline, ...timing });
}

/** Creates a client for the configured model. The library behind it is loaded with the first question. */
export function createModelClient(
  settings: ModelSettings,
  outbound: Outbound,
  options: ClientOptions,
): ModelClient {
  let quirks: Quirks = noQuirks;
  let isWhole = false;
  const sendRetrying = retryingFetch(
    streamingFetch(outbound, {
      timeoutMs: Math.max(options.deadline - Date.now(), 1),
      idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
    }),
    { firstPauseMs: options.firstPauseMs ?? defaultFirstPauseMs, deadline: options.deadline },
  );
  const send: typeof fetch = async (input, init) => {
    const answer = await sendRetrying(input, init);
    isWhole = answer.ok && /^application\/json\b/.test(answer.headers.get('content-type') ?? '');
    return answer;
  };

  async function ask(question: Question, signal: AbortSignal): Promise<Reply> {
    const library = await import('ai');
    // The library prints its warnings to the terminal otherwise.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    for (;;) {
      const model = await languageModel(settings, send, quirks);
      const received = await receiveReply(library, model, question, signal, quirks);
      const isUnstreamed = isWhole && received.text === '' && !quirks.isSilent;
      const learned = isUnstreamed
        ? { ...quirks, isSilent: true }
        : learnQuirk(quirks, received.error, library);
      if (learned === undefined || signal.aborted) return replyOf(received, question, library);
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

interface Received {
  text: string;
  isWhole: boolean;
  error: unknown;
  tokens: TokenCounts | undefined;
  calls: number;
}

/** Asks, and collects the streamed answer until it ends or breaks off. */
async function receiveReply(
  library: Library,
  model: LanguageModel,
  question: Question,
  signal: AbortSignal,
  quirks: Quirks,
): Promise<Received> {
  const received: Received = { text: '', isWhole: false, error: undefined, tokens: undefined, calls: 0 };
  const asked = askOf(library, model, question, signal, quirks);
  try {
    if (quirks.isSilent) return await receiveWhole(library, asked, received);
    for await (const part of library.streamText({ ...asked, onError() {} }).fullStream) {
      if (part.type === 'start-step') {
        received.text = '';
        received.calls += 1;
      } else if (part.type === 'text-delta') received.text += part.text;
      else if (part.type === 'error') received.error ??= part.error;
      else if (part.type === 'finish') received.isWhole = part.finishReason === 'stop';
      else if (part.type === 'finish-step') addTokens(received, part.usage);
    }
  } catch (error) {
    received.error ??= error;
  }
  return received;
}

/** Asks a server that does not stream. */
async function receiveWhole(
  library: Library,
  asked: ReturnType<typeof askOf>,
  received: Received,
): Promise<Received> {
  received.calls = 1;
  const { text, finishReason, totalUsage, steps } = await library.generateText(asked);
  addTokens(received, totalUsage);
  return { ...received, text, isWhole: finishReason === 'stop', calls: steps.length };
}

function addTokens(
  received: Received,
  usage: { inputTokens: number | undefined; outputTokens: number | undefined },
): void {
  if (usage.inputTokens === undefined && usage.outputTokens === undefined) return;
  received.tokens = {
    inputTokens: (received.tokens?.inputTokens ?? 0) + (usage.inputTokens ?? 0),
    outputTokens: (received.tokens?.outputTokens ?? 0) + (usage.outputTokens ?? 0),
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
    maxRetries: 0, // retrying-fetch.ts retries, and knows the deadline.
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
            // Room for this step and a final one with the answer, including everything that tools may still return in between.
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

/** The model's earlier tool calls are sent back to it with the results, so they are redacted like everything that is sent. */
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

function replyOf(received: Received, { instructions, data }: Question, library: Library): Reply {
  const { text, calls, error } = received;
  const estimated = {
    inputTokens: text === '' && error !== undefined ? 0 : estimateTokens(instructions + data),
    outputTokens: estimateTokens(text),
  };
  const isRefusal = library.APICallError.isInstance(error) && (error.statusCode ?? 0) >= 400;
  const status = isRefusal ? error.statusCode : undefined;
  return {
    text,
    isWhole: received.isWhole && error === undefined,
    fault: error === undefined ? undefined : faultOf(error, status),
    isHopeless: status !== undefined && [400, 401, 402, 403, 404].includes(status),
    tokens: received.tokens ?? estimated,
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
 * A one-line explanation for people, in fixed words: it is shown in the verdict of a review, and an error message of the server
 * could quote what was sent to the model.
 */
function faultOf(error: unknown, status: number | undefined): string {
  if (status !== undefined) return `its server answered ${status}${statusWords[status] ?? ''}`;
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof OutboundError) return inner.message;
  return 'its answer broke off or could not be read';
}
