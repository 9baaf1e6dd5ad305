import { z } from 'zod';
import { wireUuid } from '../../lib/wire/wire.ts';

/** Numbers are counted up to 1000. */
export const firstSteps = z.strictObject({
  is_finished: z.boolean(),
  connect: z.strictObject({
    is_done: z.boolean(),
    connections: z.int(),
    /** Of the newest connection. */
    host: z.string().nullable(),
    /** The account to mention in comments. */
    account: z.string().nullable(),
    /** What the host said last, where a connection fails. */
    error: z.string().nullable(),
  }),
  read: z.strictObject({
    is_done: z.boolean(),
    organizations: z.int(),
    repositories: z.int(),
    members: z.int(),
    pull_requests: z.int(),
    /** The repositories of which it is known what was open, and all of them. */
    open: z.strictObject({ done: z.int(), total: z.int() }),
    /** The pull requests of the past that were asked for. */
    backfill: z.strictObject({ done: z.int(), total: z.int(), is_running: z.boolean() }),
  }),
  review: z.strictObject({
    is_done: z.boolean(),
    running: z.int(),
    /** The newest that has ended well. */
    newest: z.strictObject({ organization: wireUuid, run: wireUuid }).nullable(),
  }),
  invite: z.strictObject({
    is_done: z.boolean(),
    /** Links that were not used yet, and others who can sign in. */
    invited: z.int(),
    signed_in: z.int(),
  }),
});
