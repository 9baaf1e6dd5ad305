import { createHash } from 'node:crypto';
import { MailError, type Mailer } from '../../../outbound/mail.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import type { DigestContent } from '../content/digest-content.ts';
import type { ChatKind, DigestKey } from '../digest-record.ts';
import { asChatMessage } from '../rendering/as-chat-message.ts';
import { asMail, type RenderedMail } from '../rendering/as-mail.ts';
import { describeDigest } from '../rendering/sections.ts';
import { type Sealer, sealSubscription } from '../subscription-token.ts';

export interface TransmitDeps {
  /** Undefined if the operator has set up no mail server. */
  readonly mailer: Mailer | undefined;
  /** For connections to addresses that organizations configure. */
  readonly customerOutbound: Outbound;
  readonly cursors: Sealer;
  /** Where people reach the dashboard. */
  readonly publicUrl: () => string;
}

/** `failed`: permanently. `again`: certainly not delivered, and worth a retry. `unknown`: it may have been delivered. */
export type Outcome =
  | { readonly state: 'sent' }
  | { readonly state: 'failed' | 'again' | 'unknown'; readonly error: string };

/** Called right before anything can be delivered; false if it must not be sent after all. */
export type Begin = () => Promise<boolean>;

const chatTimeoutMs = 20_000;
const maxChatAnswer = 64 * 1024;

export function pageUrl(
  { publicUrl }: Pick<TransmitDeps, 'publicUrl'>,
  organizationId: string,
  teamId: string | null,
  endDate: string,
): string {
  const team = teamId === null ? '' : `&team=${teamId}`;
  return `${publicUrl()}/organizations/${organizationId}/digest?until=${endDate}${team}`;
}

/** Error codes of requests that never reached the server. */
const neverLeft = /\((ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)\)$/;

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof MailError) {
    const states = { rejected: 'failed', unavailable: 'again', unsure: 'unknown' } as const;
    return { state: states[error.fault], error: error.message };
  }
  if (!(error instanceof OutboundError)) throw error;
  const isNeverSent = error.fault === 'tls' || neverLeft.test(error.message);
  if (error.fault === 'address_refused') return { state: 'failed', error: error.message };
  return { state: isNeverSent ? 'again' : 'unknown', error: error.message };
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return { state: 'sent' };
  const isPassing = status === 408 || status === 429 || status >= 500;
  return { state: isPassing ? 'again' : 'failed', error: `the chat answered ${status}` };
}

/** Sends a digest to a chat. */
export async function sendToChat(
  { customerOutbound }: TransmitDeps,
  { kind, url }: { readonly kind: ChatKind; readonly url: string },
  content: DigestContent,
  page: string,
  begin: Begin,
): Promise<Outcome | undefined> {
  const body = JSON.stringify(asChatMessage(kind, describeDigest(content), { page }));
  if (!(await begin())) return undefined;
  try {
    const { status } = await customerOutbound.call({
      method: 'POST',
      url: new URL(url),
      headers: { 'content-type': 'application/json' },
      body,
      timeoutMs: chatTimeoutMs,
      maxAnswerBytes: maxChatAnswer,
    });
    return outcomeOfStatus(status);
  } catch (error) {
    return outcomeOfError(error);
  }
}

/** Deterministic, so that mailboxes recognize a duplicate. */
function messageIdOf(publicUrl: string, { digestId }: DigestKey, endDate: string, to: string): string {
  const recipient = createHash('sha256').update(to).digest('hex').slice(0, 16);
  return `<digest.${digestId}.${endDate}.${recipient}@${new URL(publicUrl).hostname}>`;
}

function linksOf(deps: TransmitDeps, key: DigestKey, page: string, to: string) {
  const token = sealSubscription(deps.cursors, { ...key, email: to });
  return {
    page,
    unsubscribe: `${deps.publicUrl()}/unsubscribe?token=${token}`,
    oneClick: `${deps.publicUrl()}/dashboard/v1/digests/unsubscribe?token=${token}`,
  };
}

export function renderMail(
  content: DigestContent,
  links: { page: string; unsubscribe: string },
): RenderedMail {
  return asMail(describeDigest(content), links);
}

/** Sends a digest to one address. */
export async function sendByMail(
  deps: TransmitDeps,
  key: DigestKey,
  to: string,
  content: DigestContent,
  page: string,
  begin: Begin,
): Promise<Outcome | undefined> {
  if (deps.mailer === undefined)
    return { state: 'failed', error: 'the operator has set up no mail server (POSTIL_SMTP_URL)' };
  const { oneClick, ...links } = linksOf(deps, key, page, to);
  try {
    const open = await deps.mailer.open();
    try {
      if (!(await begin())) return undefined;
      await open.send({
        to,
        ...renderMail(content, links),
        messageId: messageIdOf(deps.publicUrl(), key, content.end_date, to),
        headers: {
          'List-Unsubscribe': `<${oneClick}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      });
      return { state: 'sent' };
    } finally {
      open.close();
    }
  } catch (error) {
    return outcomeOfError(error);
  }
}
