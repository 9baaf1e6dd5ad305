import type { Dialect, SpokenReply } from './scripted-model.ts';

interface Message {
  readonly role: string;
  readonly content: string | { readonly text?: string }[] | null;
}

const textOf = ({ content }: Message) =>
  typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('');

const toolCallsOf = ({ toolCalls }: SpokenReply) =>
  toolCalls.map(({ name, input }, index) => ({
    index,
    id: `call_${index}_${name}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));

const finishOf = ({ toolCalls, finish }: SpokenReply) => (toolCalls.length > 0 ? 'tool_calls' : finish);

const usageOf = ({ usage }: SpokenReply) =>
  usage === null
    ? {}
    : {
        usage: {
          prompt_tokens: usage.input,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.output,
        },
      };

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish: string | null = null, more: object = {}) =>
  event({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });

/** POST /v1/chat/completions. */
export const openAiDialect: Dialect = {
  path: '/v1/chat/completions',
  read(body) {
    const messages = body.messages as Message[];
    const tools = (body.tools ?? []) as { function: { name: string } }[];
    return {
      instructions: messages
        .filter(({ role }) => role === 'system')
        .map(textOf)
        .join('\n'),
      data: messages
        .filter(({ role }) => role !== 'system')
        .map(textOf)
        .join('\n'),
      tools: tools.map((tool) => tool.function.name),
      toolAnswers: messages.filter(({ role }) => role === 'tool').map(textOf),
    };
  },
  whole: (reply) => ({
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'scripted-1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.text,
          ...(reply.toolCalls.length > 0 ? { tool_calls: toolCallsOf(reply) } : {}),
        },
        finish_reason: finishOf(reply),
      },
    ],
    ...usageOf(reply),
  }),
  events: (reply, pieces) => ({
    before: [chunk({ role: 'assistant', content: '' })],
    text: pieces.map((content) => chunk({ content })),
    after: [
      ...(reply.toolCalls.length > 0 ? [chunk({ tool_calls: toolCallsOf(reply) })] : []),
      chunk({}, finishOf(reply)),
      ...(reply.usage === null ? [] : [event({ id: 'chat-1', choices: [], ...usageOf(reply) })]),
      'data: [DONE]\n\n',
    ],
  }),
};
