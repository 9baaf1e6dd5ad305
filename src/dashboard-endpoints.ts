import { type Endpoint, forSession, type SessionEndpoint } from './http/endpoint.ts';

/** The endpoints of the API that the dashboard's pages use as they are. */
const shared = ['listOrganizations', 'listRepositories'];

/** Offers the shared endpoints to people who are signed in: the same declaration and verb, no second way to the data. */
export function sharedWithDashboard(endpoints: readonly Endpoint[]): SessionEndpoint[] {
  return shared.map((operationId) => {
    const endpoint = endpoints.find((candidate) => candidate.operationId === operationId);
    if (endpoint?.audience !== 'key') throw new Error(`The API has no endpoint ${operationId}`);
    return forSession(endpoint);
  });
}
