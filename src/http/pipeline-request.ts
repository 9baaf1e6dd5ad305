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
  /** Header names that may carry the key; the one of the API contract comes first. */
  readonly keyHeaders: readonly string[];
  /** The digest of the operator token, from `digestOfToken`. */
  readonly operatorToken: Buffer;
  readonly dashboard: DashboardAddress;
  /** How long a change may remain invisible to reads that may lag; 0 without replicas. */
  readonly maxLagMs: number;
  readonly bodyMemory: BodyMemory;
  /** Timeout for receiving a body, and for a pause in a stream of events, if not the default. */
  readonly bodyTimeoutMs?: number | undefined;
  /** Called with every error that is returned instead of the requested response. */
  readonly onFailure?: (error: unknown) => void;
}

/** The request as the pipeline sees it, and how it sets response headers. */
export interface PipelineRequest {
  readonly raw: IncomingMessage;
  readonly body: RequestBody;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly requestId: string;
  readonly ipAddress: string | null;
  setHeader(name: string, value: string): void;
  /** Sets the caller for the request's log line. */
  identify(caller: { keyId: string; kind: string }): void;
}
