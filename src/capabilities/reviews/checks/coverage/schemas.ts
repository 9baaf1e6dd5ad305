import { z } from 'zod';
import { must } from '../../../../lib/wire/own-checks.ts';
import { isUnstorable } from '../../../../lib/wire/unstorable-text.ts';
import { providerId } from '../../../../lib/wire/wire.ts';
import { coverageFormats } from '../../../../reviewer/checks/coverage/coverage-report.ts';

const id = providerId.check(must((text) => !isUnstorable(text), 'contains an invalid character'));

/** What is sent with a coverage report; read in a review process, like the report itself. */
export const coverageBody = z.strictObject({
  repository_id: id.meta({ description: 'Its id at the Git provider' }),
  head_revision: z
    .string()
    .regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal digits')
    .meta({ description: 'The commit whose tests were run' }),
  org_id: id.optional().meta({
    description:
      'The organization: required if several organizations of an event source have a repository with this id; ignored for keys',
  }),
  format: z.enum(coverageFormats),
  report: z.string().min(1).meta({ description: 'The report as the tool wrote it' }),
});

/** The response to a report. */
export const takenReport = z.strictObject({
  files: z.int().meta({ description: 'The number of files in the report' }),
  unread_lines: z
    .int()
    .meta({ description: 'The number of lines of the report that could not be read; they are ignored' }),
  pull_requests: z
    .array(z.int())
    .meta({ description: 'Numbers of the open pull requests with this head, which are checked again' }),
});
