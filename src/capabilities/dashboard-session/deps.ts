import type { RateLimiter } from '../../access/rate-limit.ts';
import type { Database } from '../../db/database.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { AuditOrigin } from '../audit-log/record-changes.ts';

/** The identity provider people sign in with. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Trust an email address even if the provider does not say whether it was verified. */
  readonly trustEmail: boolean;
}

/** Dependencies of signing in. */
export interface DashboardDeps {
  readonly database: Database;
  readonly limiter: RateLimiter;
  /** Calls the identity provider. */
  readonly outbound: Outbound;
  readonly settings: {
    /** The origin at which browsers reach the server, if known. */
    readonly publicUrl?: string | undefined;
    readonly oidc?: OidcSettings | undefined;
  };
}

/** Where a sign-in comes from: what the audit log records about it, and the cookie by which the browser is recognized. */
export type SignInOrigin = Omit<AuditOrigin, 'actor'> & { readonly device?: string | undefined };

/** The cookie values a browser gets on signing in: its session, and the device id by which it is recognized next time. */
export interface SignedIn {
  readonly session: string;
  readonly device: string;
}
