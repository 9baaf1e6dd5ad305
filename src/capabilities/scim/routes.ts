import type { Endpoint } from '../../http/endpoint.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { groupEndpoints } from './group-routes.ts';
import { document, oneQuery, workspacePath } from './schemas.ts';
import { ok, type ScimDeps, scimEndpoint } from './scim-endpoint.ts';
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
    describe: resourceTypes,
  },
  {
    operationId: 'listScimSchemas',
    path: '/Schemas',
    summary: 'The attributes of users and groups',
    describe: schemas,
  },
] as const;

/** SCIM 2.0, with which an identity provider says who may use a workspace (ADR 0055). */
export function scimEndpoints(deps: ScimDeps): Endpoint[] {
  return [
    ...userEndpoints(deps),
    ...groupEndpoints(deps),
    ...documents.map(({ describe, ...named }) =>
      scimEndpoint(deps, {
        ...named,
        method: 'GET',
        params: workspacePath,
        query: oneQuery,
        success: ok('A document of SCIM', document),
        handle: async ({ base }) => describe(base),
      }),
    ),
  ];
}
