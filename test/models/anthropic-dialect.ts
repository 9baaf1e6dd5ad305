import type { Dialect, SpokenReply } from './scripted-model.ts';

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | Block[];
}
interface Message {
  readonly role: string;
  readonly content: string | Block[];
}

function textOf(content: string | Block[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((block) => block.text ?? textOf(block.content)).join('');
}

const stopOf = ({ toolCalls, finish, asTool }: SpokenReply) => {
  if (toolCalls.length > 0 || asTool) return 'tool_use';
  return finish === 'length' ? 'max_tokens' : 'end_turn';
};

const usageOf = ({ usage }: SpokenReply) => ({
  input_tokens: usage?.input ?? 0,
  output_tokens: usage?.output ?? 0,
});

const event = (value: { readonly type: string } & Record<string, unknown>) =>
  `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

/** POST /v1/messages. */
export const anthropicDialect: Dialect = {
  path: '/v1/messages',
  read(body) {
    const messages = body.messages as Message[];
    const tools = (body.tools ?? []) as { name: string }[];
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      instructions: textOf(body.system as string | Block[]),
      data: messages.map(({ content }) => textOf(content)).join('\n'),
      tools: tools.map(({ name }) => name),
      toolAnswers: blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)),
    };
  },
  whole: (reply) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted-1',
    content: [
      ...(reply.asTool && reply.toolCalls.length === 0
        ? [{ type: 'tool_use', id: 'use_json', name: 'json', input: JSON.parse(reply.text) }]
        : [{ type: 'text', text: reply.text }]),
      ...reply.toolCalls.map(({ name, input }) => ({ type: 'tool_use', id: `use_${name}`, name, input })),
    ],
    stop_reason: stopOf(reply),
    stop_sequence: null,
    usage: usageOf(reply),
  }),
  events(reply, pieces) {
    const isTool = reply.asTool && reply.toolCalls.length === 0;
    const started = isTool
      ? { type: 'tool_use', id: 'use_json', name: 'json', input: {} }
      : { type: 'text', text: '' };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted-1', content: [] };
    return {
      before: [
        event({
          type: 'message_start',
          message: { ...message, stop_reason: null, stop_sequence: null, usage: usageOf(reply) },
        }),
        event({ type: 'content_block_start', index: 0, content_block: started }),
      ],
      text: pieces.map((piece) =>
        event({
          type: 'content_block_delta',
          index: 0,
          delta: isTool
            ? { type: 'input_json_delta', partial_json: piece }
            : { type: 'text_delta', text: piece },
        }),
      ),
      after: [
        event({ type: 'content_block_stop', index: 0 }),
        ...reply.toolCalls.flatMap(({ name, input }, index) => [
          event({
            type: 'content_block_start',
            index: index + 1,
            content_block: { type: 'tool_use', id: `use_${index}_${name}`, name, input: {} },
          }),
          event({
            type: 'content_block_delta',
            index: index + 1,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
          }),
          event({ type: 'content_block_stop', index: index + 1 }),
        ]),
        event({
          type: 'message_delta',
          delta: { stop_reason: stopOf(reply), stop_sequence: null },
          usage: { output_tokens: reply.usage?.output ?? 0 },
        }),
        event({ type: 'message_stop' }),
      ],
    };
  },
};
