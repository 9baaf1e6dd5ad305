import { z } from 'zod';
import { makeStorable } from '../../../lib/wire/unstorable-text.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { HostRefused, HostUnavailable } from './host.ts';

/** All hosts number what they have. */
export const id = z.string().regex(/^\d+$/);
export const user = z.object({ id, username: z.string(), isBot: z.boolean() });
export const reviewComment = z.object({
  id,
  url: z.string(),
  author: user.nullable(),
  body: z.string(),
  createdAt: z.date(),
});
/** What goes wrong while a host's answer is taken apart is the host's fault; the cause is for the log only. */
function faultIn(what: string, cause: unknown): unknown {
  const isKnown =
    cause instanceof HostRefused || cause instanceof HostUnavailable || cause instanceof OutboundError;
  return isKnown
    ? cause
    : new HostUnavailable(`the host sent ${what} in an unexpected form`, null, { cause });
}

/** Runs a call whose result needs no check of its own. */
export async function guard<Value>(what: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw faultIn(what, error);
  }
}

/** Checks what people wrote: characters that cannot be stored are replaced, since nobody here can correct them. */
export async function checkWritten<Value>(
  what: string,
  shape: z.ZodType,
  read: () => Promise<Value>,
): Promise<Value> {
  return makeStorable(await checkOne(what, shape, read));
}

/** The same for the items of a list. */
export async function* checkEachWritten<Item>(
  what: string,
  shape: z.ZodType,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of checkEach(what, shape, items)) yield makeStorable(item);
}

export function checkOne<Value>(what: string, shape: z.ZodType, read: () => Promise<Value>): Promise<Value> {
  return guard(what, async () => {
    const value = await read();
    shape.parse(value);
    return value;
  });
}

export async function* checkEach<Item>(
  what: string,
  shape: z.ZodType,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    for await (const item of items) {
      shape.parse(item);
      yield item;
    }
  } catch (error) {
    throw faultIn(what, error);
  }
}
