import type { KeyAccess } from '../../../../access/access-rule.ts';
import { onlyOrganization } from '../../../../access/org-scope.ts';
import type { RateLimit } from '../../../../access/rate-limit.ts';
import {
  type Endpoint,
  type KeyContext,
  keyEndpoint,
  type Reply,
  type RequestContext,
  type SourceContext,
} from '../../../../http/endpoint.ts';
import type { RunDeps } from '../create-review.ts';
import { receiveResults } from './receive-results.ts';
import type { Reporter } from './reporter.ts';
import { resultsBody, takingRun } from './schemas.ts';

/** The keys that may send reports of builds. */
export const reporterAccess: KeyAccess = {
  organization: 'own',
  user: 'own',
  workspace: 'forbidden',
  instance: 'forbidden',
  legacy: 'gone',
  agentic: 'own',
};
/** Enough for every job of the builds of a large organization. */
const limit: RateLimit = { bucket: 'reviews-results', perMinute: 120, per: 'key' };
/** The maximum size of an uncompressed report. */
export const maxBodyBytes = 20 * 1024 * 1024;
export const mediaTypes = ['application/json'];

/** Results of other analyzers. */
export function resultEndpoints(deps: RunDeps): Endpoint[] {
  async function receive({ requestBody, now }: RequestContext, reporter: Reporter): Promise<Reply> {
    requestBody.checkMediaType(mediaTypes, { acceptsGzip: true });
    const json = await receiveResults(deps, reporter, await requestBody.readWhole(maxBodyBytes), now);
    return { status: 202, headers: { location: `/v1/reviews/${json.id}` }, json };
  }
  return [
    keyEndpoint({
      operationId: 'sendReviewResults',
      method: 'POST',
      path: '/v1/reviews/results',
      tag: 'Reviews',
      summary: 'Send the results of another analyzer for a pull request, as SARIF',
      description:
        'Results on lines of the change become findings of `<tool>/<ruleId>`, which are merged, posted and tracked like all others; ' +
        'other results are listed as `preexisting` in the report. The answer names the run that includes them. Results that arrive ' +
        'before the run are kept for 24 hours. Results that were sent before, or for a head that is no longer current, change nothing. ' +
        'At most 20 MiB unpacked; the body may be compressed (`Content-Encoding: gzip`).',
      access: reporterAccess,
      requires: { plan: 'any', right: 'none' },
      limit,
      streams: mediaTypes,
      streamed: resultsBody,
      errors: ['NOT_FOUND', 'CONNECTION_REFUSED'],
      responses: {
        202: {
          description: 'The run that includes the results',
          json: takingRun,
          headers: { Location: 'Where the review can be read, once it was started' },
        },
      },
      handle: (context) => receive(context, reporterWithKey(context)),
      sources: {
        type: 'postil.review_results',
        handle: (context) => receive(context, reporterOfSource(context)),
      },
    }),
  ];
}

export function reporterWithKey({ scope, principal, actor, confirmRights }: KeyContext): Reporter {
  const { id, provider, providerOrgId } = onlyOrganization(scope).organization;
  return {
    organizations: [{ id, provider, orgId: providerOrgId }],
    mayChoose: false,
    actor,
    apiKeyId: principal.keyId,
    confirm: (_tx, organizationId) => confirmRights([organizationId]),
  };
}

export function reporterOfSource({ source }: SourceContext): Reporter {
  return {
    organizations: source.organizations,
    mayChoose: true,
    actor: { id: null, name: 'an event source' },
    apiKeyId: null,
    confirm: (tx) => source.confirm(tx),
  };
}
