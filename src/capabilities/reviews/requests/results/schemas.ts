import { z } from 'zod';
import { must } from '../../../../lib/wire/own-checks.ts';
import { isUnstorable } from '../../../../lib/wire/unstorable-text.ts';
import { providerId, wireUuid } from '../../../../lib/wire/wire.ts';
import { runStatuses } from '../../runs/run-record.ts';

const id = providerId.check(must((text) => !isUnstorable(text), 'contains an invalid character'));

/** The fields sent along with results; parsed in a review process, like the results themselves. */
export const resultsBody = z
  .strictObject({
    repository_id: id.meta({ description: 'Its id at the Git provider' }),
    pull_request: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .meta({ description: 'Its number; the results are for its current head' }),
    head_revision: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal digits')
      .optional()
      .meta({ description: 'The commit that was analyzed' }),
    org_id: id.optional().meta({
      description:
        'The organization: required if several organizations of an event source have a repository with this id; ignored for keys',
    }),
    sarif: z.looseObject({}).meta({ description: 'A SARIF 2.1.0 log' }),
  })
  .check(
    must(
      ({ pull_request, head_revision }) => (pull_request === undefined) !== (head_revision === undefined),
      {
        path: ['pull_request'],
        error: 'exactly one of pull_request and head_revision is required',
      },
    ),
  );

/** The run that will include the results. */
export const takingRun = z.strictObject({ id: wireUuid, status: z.enum(runStatuses) });
