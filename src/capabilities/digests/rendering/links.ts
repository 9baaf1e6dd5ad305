/** The links in a digest; the one to unsubscribe is for mails only. */
export interface DigestLinks {
  readonly page: string;
  readonly unsubscribe?: string;
}
