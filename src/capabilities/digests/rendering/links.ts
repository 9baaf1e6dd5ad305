/** Where a digest leads; unsubscribing concerns mails only. */
export interface DigestLinks {
  readonly page: string;
  readonly unsubscribe?: string;
}
