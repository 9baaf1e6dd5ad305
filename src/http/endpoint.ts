import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { KeyAccess, Requirements } from '../access/access-rule.ts';
import type { KeyKind } from '../access/api-key-value.ts';
import type { EventSource } from '../access/authenticate-source.ts';
import type { CallerContext, Revocable } from '../access/caller-context.ts';
import type { RateLimit } from '../access/rate-limit.ts';
import type { Session } from '../access/session.ts';
import type { ErrorCode } from '../lib/app-error.ts';
import type { PreparedContent } from './reply/prepared-content.ts';
import type { RequestBody } from './request/request-body.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response: a JSON value, or bytes of a named type; no body with 204. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly json?: unknown;
  /** The type of `json`, if not application/json. */
  readonly mediaType?: string;
  readonly content?: {
    readonly type: string;
    readonly bytes: string | Buffer | Readable;
    /** Called when the last byte has been sent; never if the caller disconnected before. */
    readonly onSent?: () => void;
  };
  /** Content that is the same for all callers. */
  readonly prepared?: PreparedContent;
}

/** The cursors of one endpoint, bound to the caller's scope and the filters. */
export interface PageCursors {
  issue(filters: unknown, position: unknown): string;
  read<Position>(filters: unknown, cursor: string): Position;
}

/** The information that every handler gets about its request. */
export interface RequestContext {
  readonly now: Date;
  readonly requestId: string;
  readonly ipAddress: string | null;
  readonly raw: IncomingMessage;
  /** For endpoints that read their body themselves. */
  readonly requestBody: RequestBody;
}

/** Additional information for handlers of API keys. */
export interface KeyContext extends RequestContext, CallerContext {
  readonly cursors: PageCursors;
  /** Whether reads may miss the latest changes. False for a person who has just changed something, and expects to see it. */
  readonly mayLag: boolean;
  /** The sent `org_id`: `ALL`, one organization, or undefined. */
  readonly requestedOrgId: string | undefined;
}

/** Information for handlers about a signed-in person, not about an organization. */
export interface AccountContext extends RequestContext, Revocable {
  readonly session: Session;
}

/** Information for handlers of event sources. */
export interface SourceContext extends RequestContext {
  readonly source: EventSource;
}

type Shape = z.ZodObject | undefined;
type Parsed<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

export interface Input<P extends Shape, Q extends Shape, B extends z.ZodType | undefined> {
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
}

/** The response with a status: a JSON shape, other content types, or no body. */
export interface ResponseDeclaration {
  readonly description: string;
  readonly json?: z.ZodType;
  /** The type of `json`, if not application/json. */
  readonly mediaType?: string;
  readonly content?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

interface Declaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined> {
  readonly operationId: string;
  readonly method: Method;
  /** Path parameters are written as `{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: P;
  readonly query?: Q;
  /** Query parameters that may be repeated; their schema takes an array of strings. */
  readonly repeatable?: readonly string[];
  readonly body?: B;
  /** Accepted media types of the body, if not only application/json. */
  readonly bodyTypes?: readonly string[];
  /** A request without a body is treated like one with an empty object. */
  readonly isBodyOptional?: boolean;
  /** Another body shape for some kinds of key. */
  readonly bodyByKind?: Partial<Record<KeyKind, z.ZodType>>;
  readonly maxBodyBytes?: number;
  /** The maximum number of entries of all arrays and objects in the body, if not the default. */
  readonly maxBodyEntries?: number;
  /** The handler checks for unstorable text item by item, instead of the pipeline rejecting the whole body. */
  readonly checksTextPerItem?: boolean;
  /** The handler reads the body itself as a stream of one of these types. */
  readonly streams?: readonly string[];
  /** The shape of such a stream, for the OpenAPI description. */
  readonly streamed?: z.ZodType;
  /** scim: errors as RFC 7644 defines them. */
  readonly errorBody?: 'error' | 'errors' | 'scim';
  /** Error codes beyond those that every endpoint of its kind may return. */
  readonly errors?: readonly ErrorCode[];
  readonly responses: Readonly<Record<number, ResponseDeclaration>>;
}

export interface KeyEndpointDeclaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined>
  extends Declaration<P, Q, B> {
  readonly access: KeyAccess;
  /** A different access rule for requests with this query parameter. */
  readonly accessWhen?: { readonly queryParameter: string; readonly access: KeyAccess };
  readonly requires: Requirements;
  readonly limit: RateLimit;
  /** Whether the key may also be sent as a bearer token, for clients that support nothing else. */
  readonly acceptsBearer?: boolean;
  /** Event sources that may report this type may also call it, within the same limit. */
  readonly sources?: {
    readonly type: string;
    handle(context: SourceContext, input: Input<P, Q, B>): Promise<Reply>;
  };
  handle(context: KeyContext, input: Input<P, Q, B>): Promise<Reply>;
}

/** The rights of a signed-in person: in an organization those of a user key, in a workspace those of its token (ADR 0050). */
export type SessionAccess = Pick<KeyAccess, 'user' | 'workspace'>;

export interface SessionEndpointDeclaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined>
  extends Omit<KeyEndpointDeclaration<P, Q, B>, 'access' | 'accessWhen' | 'limit'> {
  readonly access: SessionAccess;
}

export interface AccountEndpointDeclaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined>
  extends Declaration<P, Q, B> {
  /** Only for admins of the installation. */
  readonly isForInstallationAdmins?: boolean;
  handle(context: AccountContext, input: Input<P, Q, B>): Promise<Reply>;
}

export interface SourceEndpointDeclaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined>
  extends Declaration<P, Q, B> {
  readonly limit: RateLimit;
  handle(context: SourceContext, input: Input<P, Q, B>): Promise<Reply>;
}

export interface PlainEndpointDeclaration<P extends Shape, Q extends Shape, B extends z.ZodType | undefined>
  extends Declaration<P, Q, B> {
  handle(context: RequestContext, input: Input<P, Q, B>): Promise<Reply>;
}

type AnyInput = { params: never; query: never; body: never };
type Erased<D> = Omit<D, 'handle'>;
type AnyDeclaration = Declaration<Shape, Shape, z.ZodType | undefined>;

export interface KeyEndpoint extends Erased<KeyEndpointDeclaration<Shape, Shape, z.ZodType | undefined>> {
  readonly audience: 'key';
  handle(context: KeyContext, input: AnyInput): Promise<Reply>;
}

/** For a person signed in to the dashboard who is viewing an organization or a workspace. */
export interface SessionEndpoint extends Omit<KeyEndpoint, 'audience' | 'limit'> {
  readonly audience: 'session';
}

/** For a person signed in to the dashboard, about themselves. */
export interface AccountEndpoint extends AnyDeclaration {
  readonly audience: 'account';
  readonly isForInstallationAdmins?: boolean;
  handle(context: AccountContext, input: AnyInput): Promise<Reply>;
}

/** For event senders, whose key can do nothing else. */
export interface SourceEndpoint extends AnyDeclaration {
  readonly audience: 'source';
  readonly limit: RateLimit;
  handle(context: SourceContext, input: AnyInput): Promise<Reply>;
}

export interface PlainEndpoint extends AnyDeclaration {
  /**
   * operator: requires the operator token; public: needs no credentials, but changes may only come from the dashboard's own
   * pages; signed: called by other systems with a signature, which the verb verifies.
   */
  readonly audience: 'operator' | 'public' | 'signed';
  handle(context: RequestContext, input: AnyInput): Promise<Reply>;
}

export type Endpoint = KeyEndpoint | SessionEndpoint | AccountEndpoint | SourceEndpoint | PlainEndpoint;

/** Declares an endpoint for callers with an API key. */
export function keyEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: KeyEndpointDeclaration<P, Q, B>): KeyEndpoint {
  return { ...(declaration as unknown as KeyEndpoint), audience: 'key' };
}

/** Declares an endpoint for people signed in to the dashboard, within the organization or workspace that they are viewing. */
export function sessionEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: SessionEndpointDeclaration<P, Q, B>): SessionEndpoint {
  const noKeys = {
    organization: 'forbidden',
    instance: 'forbidden',
    legacy: 'forbidden',
    agentic: 'forbidden',
  };
  return {
    ...(declaration as unknown as SessionEndpoint),
    access: { ...noKeys, ...declaration.access } as KeyAccess,
    audience: 'session',
  };
}

/** Offers an endpoint of the API to people signed in to the dashboard: the same checks, shapes and verb. */
export function forSession({ limit: _, ...endpoint }: KeyEndpoint): SessionEndpoint {
  return { ...endpoint, path: `/dashboard${endpoint.path}`, audience: 'session' };
}

/** Offers an operator's endpoint to admins of the installation who are signed in to the dashboard: the same shapes and verb. */
export function forInstallationAdmins(endpoint: PlainEndpoint): AccountEndpoint {
  return {
    ...endpoint,
    path: endpoint.path.replace(/^\/operator\//, '/dashboard/'),
    audience: 'account',
    isForInstallationAdmins: true,
  };
}

/** Declares an endpoint for people signed in to the dashboard, about themselves. */
export function accountEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: AccountEndpointDeclaration<P, Q, B>): AccountEndpoint {
  return { ...(declaration as unknown as AccountEndpoint), audience: 'account' };
}

/** Declares an endpoint for event sources. */
export function sourceEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: SourceEndpointDeclaration<P, Q, B>): SourceEndpoint {
  return { ...(declaration as unknown as SourceEndpoint), audience: 'source' };
}

/** Declares an endpoint for the operator of the installation. */
export function operatorEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: PlainEndpointDeclaration<P, Q, B>): PlainEndpoint {
  return { ...(declaration as unknown as PlainEndpoint), audience: 'operator' };
}

/** Declares an endpoint that needs no key, such as a health check. */
export function publicEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: PlainEndpointDeclaration<P, Q, B>): PlainEndpoint {
  return { ...(declaration as unknown as PlainEndpoint), audience: 'public' };
}

/** Declares an endpoint that another system calls with a signature over its payload; the verb must verify it. */
export function signedEndpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends z.ZodType | undefined = undefined,
>(declaration: PlainEndpointDeclaration<P, Q, B>): PlainEndpoint {
  return { ...(declaration as unknown as PlainEndpoint), audience: 'signed' };
}
