import type { z } from 'zod';
import type { KeyAccess } from '../../access/access-rule.ts';
import type { Database } from '../../db/database.ts';
import { type Endpoint, type KeyContext, keyEndpoint, type Method, type Reply } from '../../http/endpoint.ts';
import type { ErrorCode } from '../../lib/app-error.ts';
import type { BaseUrl } from './resources.ts';
import type { listQuery, resourcePath, workspacePath } from './schemas.ts';
import { parseFilter } from './scim-text.ts';
import { type ScimWorkspace, workspaceOf } from './scim-workspace.ts';

export interface ScimDeps {
  readonly database: Database;
  /** Where providers reach this server. */
  readonly publicUrl: () => string;
}

const mediaType = 'application/scim+json';
const access: KeyAccess = {
  organization: 'forbidden',
  user: 'forbidden',
  workspace: 'all',
  instance: 'forbidden',
  legacy: 'forbidden',
  agentic: 'forbidden',
};

/** What a handler knows: the workspace of the token, and where its resources are. */
interface ScimRequest<P, Q, B> {
  readonly context: KeyContext;
  readonly workspace: ScimWorkspace;
  readonly base: BaseUrl;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
}

interface ScimDeclaration<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType> {
  readonly operationId: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  readonly body?: B;
  readonly errors?: readonly ErrorCode[];
  readonly success: { readonly status: number; readonly description: string; readonly json?: z.ZodType };
  handle(request: ScimRequest<z.output<P>, z.output<Q>, z.output<B>>): Promise<unknown>;
}

/** Declares an endpoint of SCIM: its media type and error format, with a workspace token as a bearer. */
export function scimEndpoint<
  P extends typeof workspacePath | typeof resourcePath,
  Q extends z.ZodObject,
  B extends z.ZodType = z.ZodNever,
>({ publicUrl }: ScimDeps, declaration: ScimDeclaration<P, Q, B>): Endpoint {
  const { path, success, errors = [], params, query, body, handle, ...named } = declaration;
  return keyEndpoint({
    ...named,
    path: `/scim/v2/{workspace}${path}`,
    tag: 'SCIM',
    params,
    query,
    ...(body !== undefined && { body, bodyTypes: [mediaType, 'application/json'] }),
    acceptsBearer: true,
    access,
    // Workspaces are on the Enterprise plan anyway.
    requires: { plan: 'any', right: 'admin' },
    limit: { bucket: 'scim', perMinute: 600, per: 'tenant' },
    errorBody: 'scim',
    errors: ['NOT_FOUND', ...errors],
    responses: { [success.status]: { ...success, mediaType } },
    async handle(context, input): Promise<Reply> {
      const { workspace: slug } = input.params as { workspace: string };
      const workspace = workspaceOf(context, slug);
      const base = `${publicUrl()}/scim/v2/${slug}`;
      const json = await handle({
        ...(input as never as ScimRequest<never, never, never>),
        context,
        workspace,
        base,
      });
      if (success.status === 204) return { status: 204 };
      const location = (json as { meta?: { location: string } }).meta?.location;
      return {
        status: success.status,
        json,
        mediaType,
        ...(success.status === 201 && location !== undefined && { headers: { location } }),
      };
    },
  });
}

export const ok = (description: string, json: z.ZodType) => ({ status: 200, description, json });
export const sliceOf = ({ filter, ...slice }: z.output<typeof listQuery>) => ({
  ...slice,
  filter: filter === undefined ? [] : parseFilter(filter),
});
