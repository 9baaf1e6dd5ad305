import type { RateLimit } from '../../../../access/rate-limit.ts';
import { type Endpoint, keyEndpoint, type Reply, type RequestContext } from '../../../../http/endpoint.ts';
import type { Reporter } from '../../requests/results/reporter.ts';
import {
  maxBodyBytes,
  mediaTypes,
  reporterAccess,
  reporterOfSource,
  reporterWithKey,
} from '../../requests/results/routes.ts';
import { type CoverageDeps, receiveCoverage } from './receive-coverage.ts';
import { coverageBody, takenReport } from './schemas.ts';

/** Enough for every job of the builds of a large organization. */
const limit: RateLimit = { bucket: 'reviews-coverage', perMinute: 120, per: 'key' };

/** Coverage reports of tests. */
export function coverageEndpoints(deps: CoverageDeps): Endpoint[] {
  async function receive({ requestBody, now }: RequestContext, reporter: Reporter): Promise<Reply> {
    requestBody.checkMediaType(mediaTypes, { acceptsGzip: true });
    const json = await receiveCoverage(deps, reporter, await requestBody.readWhole(maxBodyBytes), now);
    return { status: 202, json };
  }
  return [
    keyEndpoint({
      operationId: 'sendCoverage',
      method: 'POST',
      path: '/v1/reviews/coverage',
      tag: 'Reviews',
      summary: 'Send a test coverage report for a commit, for the check `coverage`',
      description:
        'Several reports for one commit are combined; sending the same report again changes nothing. Reports are kept for 30 days, ' +
        'even if no pull request has this head yet. At most 20 MiB unpacked; the body may be compressed (`Content-Encoding: gzip`).',
      access: reporterAccess,
      requires: { plan: 'any', right: 'none' },
      limit,
      streams: mediaTypes,
      streamed: coverageBody,
      errors: ['NOT_FOUND'],
      responses: { 202: { description: 'The report is kept', json: takenReport } },
      handle: (context) => receive(context, reporterWithKey(context)),
      sources: {
        type: 'postil.coverage',
        handle: (context) => receive(context, reporterOfSource(context)),
      },
    }),
  ];
}
