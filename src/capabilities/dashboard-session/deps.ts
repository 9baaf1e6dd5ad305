import type { RateLimiter } from '../../access/rate-limit.ts';
import type { Database } from '../../db/database.ts';
import type { AuditOrigin } from '../audit-log/record-changes.ts';

/** The identity provider people sign in with. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** Take the provider's word for an address of which it does not say whether it was verified. */
  readonly trustEmail: boolean;
}

/** What signing in needs. */
export interface DashboardDeps {
  readonly database: Database;
  readonly limiter: RateLimiter;
  readonly settings: {
    /** The origin under which browsers reach the server, if it is known. */
    readonly publicUrl?: string | undefined;
    readonly oidc?: OidcSettings | undefined;
  };
}

/** Where somebody signs in: what the audit log says of it, and what the browser brought along to be known again. */
export type SignInOrigin = Omit<AuditOrigin, 'actor'> & { readonly device?: string | undefined };

/** What a browser keeps after a sign-in: the session, and what it is known by the next time. */
export interface SignedIn {
  readonly session: string;
  readonly device: string;
}
