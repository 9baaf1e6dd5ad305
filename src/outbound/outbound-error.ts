/** Why a call to another system failed before the whole response was received. */
export type OutboundFault =
  | 'address_refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'stalled'
  | 'too_large'
  | 'redirect'
  | 'other_origin'
  | 'aborted';

/** A call without a usable response; the message names the host and the cause, never a path, a header or a body. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly fault: OutboundFault;

  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
