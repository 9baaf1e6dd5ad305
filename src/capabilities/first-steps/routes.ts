import type { Database } from '../../db/database.ts';
import { accountEndpoint, type Endpoint } from '../../http/endpoint.ts';
import { describeFirstSteps, putFirstStepsAway } from './describe-first-steps.ts';
import { firstSteps } from './schemas.ts';

/** The page that leads through the beginning of an installation. */
export function firstStepEndpoints(deps: { database: Database }): Endpoint[] {
  const common = { tag: 'Dashboard', isForInstallationAdmins: true } as const;
  return [
    accountEndpoint({
      ...common,
      operationId: 'readFirstSteps',
      method: 'GET',
      path: '/dashboard/v1/first-steps',
      summary: 'How far the installation has come: connected, read, reviewed, people invited',
      responses: { 200: { description: 'The steps', json: firstSteps } },
      handle: async ({ session, now }) => ({ json: await describeFirstSteps(deps, session, now) }),
    }),
    accountEndpoint({
      ...common,
      operationId: 'putFirstStepsAway',
      method: 'POST',
      path: '/dashboard/v1/first-steps/put-away',
      summary: 'Lead this person to the first steps no more',
      responses: { 204: { description: 'Put away' } },
      async handle({ session, now }) {
        await putFirstStepsAway(deps, session, now);
        return { status: 204 };
      },
    }),
  ];
}
