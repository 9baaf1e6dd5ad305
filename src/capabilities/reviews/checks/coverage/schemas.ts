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
      'Which organization it is, where an event source serves several that have such a repository; ignored for keys',
  }),
  format: z.enum(coverageFormats),
  report: z.string().min(1).meta({ description: 'The report as the tool wrote it' }),
});

/** The response to a report. */
export const takenReport = z.strictObject({
  files: z.int().meta({ description: 'How many files it is about' }),
  unread_lines: z.int().meta({ description: 'How many lines of it nobody understands; they do not count' }),
  pull_requests: z
    .array(z.int())
    .meta({ description: 'Numbers of the open pull requests with this head, which are checked again' }),
});
