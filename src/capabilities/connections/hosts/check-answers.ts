import { z } from 'zod';
import { makeStorable } from '../../../lib/wire/unstorable-text.ts';
import { httpUrl } from '../../../lib/wire/wire.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { HostRefused, HostUnavailable } from './host.ts';

/** Every supported host uses numeric ids. */
export const id = z.string().regex(/^\d+$/);
export const user = z.object({ id, username: z.string(), isBot: z.boolean() });
export const reviewComment = z.object({
  id,
  url: httpUrl,
  author: user.nullable(),
  body: z.string(),
  createdAt: z.date(),
});

/** The checks of one host's answers. Its faults are reported by its name: an installation may have several. */
export interface AnswerChecks {
  /** Runs a call whose result needs no check of its own. */
  guard<Value>(what: string, read: () => Promise<Value>): Promise<Value>;
  checkOne<Value>(what: string, shape: z.ZodType, read: () => Promise<Value>): Promise<Value>;
  checkEach<Item>(what: string, shape: z.ZodType, items: AsyncIterable<Item>): AsyncGenerator<Item>;
  /** Checks what people wrote: characters that cannot be stored are replaced, since nobody here can correct them. */
  checkWritten<Value>(what: string, shape: z.ZodType, read: () => Promise<Value>): Promise<Value>;
  /** The same for the items of a list. */
  checkEachWritten<Item>(what: string, shape: z.ZodType, items: AsyncIterable<Item>): AsyncGenerator<Item>;
}

/** Treats any error while a host's answer is parsed as the host's fault; its cause goes to the log only. */
function faultIn(host: string, what: string, cause: unknown): unknown {
  if (cause instanceof OutboundError) return cause;
  if (!(cause instanceof HostRefused || cause instanceof HostUnavailable))
    return new HostUnavailable(`${host} sent ${what} in an unexpected form`, null, { cause });
  cause.message = cause.message.replace(/^the host\b/, host);
  return cause;
}

/** The checks for a host with this name. */
export function answerChecks(host: string): AnswerChecks {
  async function guard<Value>(what: string, read: () => Promise<Value>): Promise<Value> {
    try {
      return await read();
    } catch (error) {
      throw faultIn(host, what, error);
    }
  }
  function checkOne<Value>(what: string, shape: z.ZodType, read: () => Promise<Value>): Promise<Value> {
    return guard(what, async () => {
      const value = await read();
      shape.parse(value);
      return value;
    });
  }
  async function* checkEach<Item>(what: string, shape: z.ZodType, items: AsyncIterable<Item>) {
    try {
      for await (const item of items) {
        shape.parse(item);
        yield item;
      }
    } catch (error) {
      throw faultIn(host, what, error);
    }
  }
  return {
    guard,
    checkOne,
    checkEach,
    checkWritten: async (...given) => makeStorable(await checkOne(...given)),
    async *checkEachWritten(...given) {
      for await (const item of checkEach(...given)) yield makeStorable(item);
    },
  };
}
