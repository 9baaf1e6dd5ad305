import { z } from 'zod';
import { categories, severities } from '../../../reviewer/finding-vocabulary.ts';

/** A finding as the API shows it. */
export const findingShape = z.strictObject({
  finding_id: z.string(),
  path: z.string(),
  side: z.enum(['new', 'old']),
  start_line: z.int().nullable().meta({ description: 'Null for a finding about the file as a whole' }),
  end_line: z.int().nullable(),
  severity: z.enum(severities),
  category: z.enum(categories),
  title: z.string(),
  body: z.string(),
  suggestion: z.string().nullable(),
  source: z.strictObject({ kind: z.enum(['rule', 'model']), name: z.string() }),
  related: z
    .array(z.strictObject({ path: z.string(), start_line: z.int(), end_line: z.int(), text: z.string() }))
    .meta({ description: 'Other places that explain the finding, in reading order' }),
  confidence: z
    .enum(['proven', 'likely'])
    .meta({ description: '`proven`: established from syntax, imports, package or scope' }),
  rules: z.array(z.string()).meta({ description: 'Every rule that found it; `source.name` is the first' }),
  cwe: z.string().nullable().meta({ description: 'The weakness it is about, such as `CWE-95`' }),
  learning_ids: z.array(z.string()),
  url: z.string().nullable(),
  state: z.enum(['open', 'outdated', 'resolved', 'dismissed']),
  accepted: z.boolean().nullable(),
});
