import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export { WebhookVerificationError };

/** What a webhook sends: a CloudEvent. */
export interface WebhookEvent {
  readonly specversion: '1.0';
  /** The same when a delivery is repeated: remember it to act only once. */
  readonly id: string;
  readonly source: string;
  /** Such as `postil.review.finished`. */
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly data: Record<string, unknown>;
}

type GivenHeaders = Headers | Readonly<Record<string, string | string[] | undefined>>;

function headersOf(given: GivenHeaders): Record<string, string> {
  const entries = given instanceof Headers ? [...given.entries()] : Object.entries(given);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(' ') : value]],
    ),
  );
}

/**
 * The event in a webhook request, if it was signed with the secret (`whsec_…`) within the last five minutes; otherwise it throws a
 * `WebhookVerificationError`. The body must be the bytes as they arrived, not parsed and printed again.
 */
export function verifyWebhook(
  secret: string,
  request: { readonly headers: GivenHeaders; readonly body: string | Uint8Array },
): WebhookEvent {
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  return new Webhook(secret).verify(body, headersOf(request.headers)) as WebhookEvent;
}
