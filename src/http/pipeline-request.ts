import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { KeyUsage } from '../access/key-usage.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { Database } from '../db/database.ts';
import type { CursorCodec } from './cursor.ts';
import type { LargeBodiesOf } from './request/large-bodies.ts';
import type { RequestBody } from './request/request-body.ts';
import type { DashboardAddress } from './request/session-cookie.ts';

export interface PipelineDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly rateLimiter: RateLimiter;
  readonly cursors: CursorCodec;
  readonly keyUsage: KeyUsage;
  /** Header names that may carry the key, the contract's own first. */
  readonly keyHeaders: readonly string[];
  readonly operatorToken: string;
  readonly dashboard: DashboardAddress;
  readonly largeBodies: LargeBodiesOf;
  /** How long a body may take, and how long a stream of events may pause, if not as long as usual. */
  readonly bodyPatienceMs?: number | undefined;
  /** Hears of everything that keeps a request from being answered as asked. */
  readonly onFailure?: (error: unknown) => void;
}

/** What the pipeline is given of a request, and where it leaves headers that go on every answer. */
export interface PipelineRequest {
  readonly raw: IncomingMessage;
  readonly body: RequestBody;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly requestId: string;
  readonly ipAddress: string | null;
  setHeader(name: string, value: string): void;
  /** Names the caller for the log line of the request. */
  identify(caller: { keyId: string; kind: string }): void;
}
