import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export { WebhookVerificationError };

/** The event that a webhook sends: a CloudEvent. */
export interface WebhookEvent {
  readonly specversion: '1.0';
  /** Unique per event and the same for repeated deliveries; store it to process each event only once. */
  readonly id: string;
  readonly source: string;
  /** The type, such as `postil.review.finished`. */
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
 * Returns the event of a webhook request that was signed with the secret (`whsec_…`) within the last five minutes; otherwise
 * throws a `WebhookVerificationError`. The body must be the original bytes, not parsed and serialized again.
 */
export function verifyWebhook(
  secret: string,
  request: { readonly headers: GivenHeaders; readonly body: string | Uint8Array },
): WebhookEvent {
  const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  return new Webhook(secret).verify(body, headersOf(request.headers)) as WebhookEvent;
}
