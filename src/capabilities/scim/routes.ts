import type { Endpoint } from '../../http/endpoint.ts';
import { AppError } from '../../lib/app-error.ts';
import { ok, type ScimDeps, scimEndpoint } from './declare-routes.ts';
import { describeAll, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { groupEndpoints } from './group-routes.ts';
import type { BaseUrl } from './resources.ts';
import { document, oneQuery, resourcePath, workspacePath } from './schemas.ts';
import { userEndpoints } from './user-routes.ts';

const documents = [
  {
    operationId: 'readScimConfiguration',
    path: '/ServiceProviderConfig',
    summary: 'What the server supports',
    describe: serviceProviderConfig,
  },
  {
    operationId: 'listScimResourceTypes',
    path: '/ResourceTypes',
    summary: 'The types of resources',
    describe: (base: BaseUrl) => describeAll(resourceTypes(base)),
  },
  {
    operationId: 'listScimSchemas',
    path: '/Schemas',
    summary: 'The attributes of users and groups',
    describe: (base: BaseUrl) => describeAll(schemas(base)),
  },
] as const;

const singleDocuments = [
  {
    operationId: 'readScimResourceType',
    path: '/ResourceTypes/{id}',
    summary: 'One type of resources, by its name',
    all: resourceTypes,
  },
  {
    operationId: 'readScimSchema',
    path: '/Schemas/{id}',
    summary: 'The attributes of users or of groups, by the URN of their schema',
    all: schemas,
  },
] as const;

function discoveryEndpoints(deps: ScimDeps): Endpoint[] {
  const shared = { method: 'GET', query: oneQuery, success: ok('A document of SCIM', document) } as const;
  return [
    ...documents.map(({ describe, ...named }) =>
      scimEndpoint(deps, {
        ...shared,
        ...named,
        params: workspacePath,
        handle: async ({ base }) => describe(base),
      }),
    ),
    ...singleDocuments.map(({ all, ...named }) =>
      scimEndpoint(deps, {
        ...shared,
        ...named,
        params: resourcePath,
        async handle({ base, params }) {
          const found = all(base).find(({ id }) => id.toLowerCase() === params.id.toLowerCase());
          if (found === undefined) throw new AppError('NOT_FOUND', 'There is no such document');
          return found;
        },
      }),
    ),
  ];
}

/** SCIM 2.0, with which an identity provider says who may use a workspace (ADR 0055). */
export function scimEndpoints(deps: ScimDeps): Endpoint[] {
  return [...userEndpoints(deps), ...groupEndpoints(deps), ...discoveryEndpoints(deps)];
}
