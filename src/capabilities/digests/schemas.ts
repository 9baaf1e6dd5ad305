import { z } from 'zod';
import { must } from '../../lib/wire/own-checks.ts';
import { dateParameter, uuid, wireInstant, wireUuid } from '../../lib/wire/wire.ts';
import { digestContent } from './content/digest-content.ts';
import { chatKinds, sendingStates } from './digest-record.ts';

export const maxRecipients = 50;

const recipients = z
  .array(z.email().max(320).toLowerCase())
  .max(maxRecipients)
  .transform((list) => [...new Set(list)]);

const chatUrl = z
  .string()
  .max(2048)
  .check(
    must((text) => {
      const url = URL.parse(text);
      if (url === null || !['http:', 'https:'].includes(url.protocol)) return false;
      return url.username === '' && url.password === '';
    }, 'must be an http or https URL without a user name or password'),
  );

const chat = z.strictObject({
  kind: z.enum(chatKinds),
  /** If absent, the stored URL is kept. */
  url: chatUrl.optional(),
});

const weekday = z.int().min(1).max(7);
const hour = z.int().min(0).max(23);

export const digestRequest = z.strictObject({
  team_id: uuid.nullable().default(null),
  weekday: weekday.default(1),
  hour: hour.default(7),
  recipients: recipients.default([]),
  chat: chat.nullable().default(null),
  active: z.boolean().default(true),
});
export type DigestRequest = z.output<typeof digestRequest>;

export const digestChange = z
  .strictObject({
    weekday: weekday.optional(),
    hour: hour.optional(),
    recipients: recipients.optional(),
    chat: chat.nullable().optional(),
    active: z.boolean().optional(),
  })
  .check(must((change) => Object.keys(change).length > 0, 'must contain at least one setting'));
export type DigestChange = z.output<typeof digestChange>;

export const digestPath = z.strictObject({ id: uuid });

export const digestView = z.strictObject({
  id: wireUuid,
  team: z.strictObject({ id: wireUuid, name: z.string().nullable() }).nullable(),
  weekday: z.int(),
  hour: z.int(),
  recipients: z.array(z.string()),
  chat: z.strictObject({ kind: z.enum(chatKinds), host: z.string() }).nullable(),
  active: z.boolean(),
  next_due_at: wireInstant,
  /** The delivery state of the newest issue. */
  last: z
    .strictObject({
      end_date: z.string(),
      created_at: wireInstant,
      sendings: z.array(
        z.strictObject({
          recipient: z.string(),
          state: z.enum(sendingStates),
          attempts: z.int(),
          error: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
});

export const digestSettings = z.strictObject({
  /** Whether the operator has set up a mail server. */
  has_mail: z.boolean(),
  digests: z.array(digestView),
});

export const contentQuery = z.strictObject({
  team_id: uuid.optional(),
  /** The last day; by default, yesterday. */
  end_date: dateParameter.optional(),
});
export const digestPage = digestContent;

export const previewQuery = z.strictObject({ team_id: uuid.optional() });
export const digestPreview = z.strictObject({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  slack: z.looseObject({}),
  teams: z.looseObject({}),
});

export const testRequest = z.strictObject({ channel: z.enum(['mail', 'chat']) });
export const testResult = z.strictObject({ ok: z.boolean(), message: z.string() });

export const subscriptionQuery = z.strictObject({ token: z.string().min(1).max(4096) });
export const unsubscribed = z.strictObject({ email: z.string() });
