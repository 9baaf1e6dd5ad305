import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { KeyAuthenticator } from '../access/authenticate.ts';
import type { KeyUsage } from '../access/key-usage.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { Database } from '../db/database.ts';
import type { CursorCodec } from './cursor.ts';
import type { BodyMemory } from './request/body-memory.ts';
import type { RequestBody } from './request/request-body.ts';
import type { DashboardAddress } from './request/session-cookie.ts';

export interface PipelineDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly keys: KeyAuthenticator;
  readonly rateLimiter: RateLimiter;
  readonly cursors: CursorCodec;
  readonly keyUsage: KeyUsage;
  /** Header names that may carry the key, the contract's own first. */
  readonly keyHeaders: readonly string[];
  /** The digest of the token, as `digestOfToken` makes it. */
  readonly operatorToken: Buffer;
  readonly dashboard: DashboardAddress;
  /** How long a change may remain unseen by reads that may lag; 0 if there are none. */
  readonly maxLagMs: number;
  readonly bodyMemory: BodyMemory;
  /** How long a body may take, and how long a stream of events may pause, if not the default. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Is notified of every error that is returned instead of the requested response. */
  readonly onFailure?: (error: unknown) => void;
}

/** What the pipeline receives of a request, and where it sets response headers. */
export interface PipelineRequest {
  readonly raw: IncomingMessage;
  readonly body: RequestBody;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly requestId: string;
  readonly ipAddress: string | null;
  setHeader(name: string, value: string): void;
  /** Identifies the caller in the request's log line. */
  identify(caller: { keyId: string; kind: string }): void;
}
