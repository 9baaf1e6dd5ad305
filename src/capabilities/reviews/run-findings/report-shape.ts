import { z } from 'zod';
import { wireInstant } from '../../../lib/wire/wire.ts';
import { severities } from '../../../reviewer/finding-vocabulary.ts';

const names = z.array(z.string());

const impact = z.strictObject({
  symbol: z.string().meta({ description: 'Its name before the change' }),
  renamed_to: z.string().nullable(),
  path: z.string(),
  line: z.int().meta({ description: 'The line in the head, or in the base if the symbol was removed' }),
  change: z.enum(['removed', 'renamed', 'signature', 'made_async', 'moved']),
  references: z
    .array(
      z.strictObject({
        path: z.string(),
        line: z.int(),
        state: z.enum(['updated', 'fits', 'broken', 'unknown']).meta({
          description: '`updated`: the change updates it, too; `fits`: unchanged and still correct',
        }),
      }),
    )
    .meta({ description: 'At most 50' }),
  total_references: z.int(),
});

const dependency = z.strictObject({
  ecosystem: z.string(),
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  kind: z.enum(['added', 'removed', 'upgraded', 'downgraded']),
  direct: z.boolean(),
  manifest: z.string(),
  licence: z.string().nullable(),
  vulnerabilities: names,
});

/** What a review says beside its findings, as it is stored. */
/** What a check before the merge says. */
export const checkShape = z.strictObject({
  name: z.string(),
  verdict: z.enum(['passed', 'failed', 'inconclusive', 'skipped']),
  mode: z.enum(['error', 'warning']),
  text: z.string(),
  overridden: z
    .strictObject({
      by: z.string().meta({ description: 'A user name at the host' }),
      reason: z.string(),
      at: wireInstant,
      verdict: z.enum(['failed', 'inconclusive']).meta({ description: 'The verdict of the check itself' }),
      text: z.string(),
    })
    .optional()
    .meta({
      description: 'Who overrode the check for this version, and why; the check then counts as passed',
    }),
  files: z
    .array(z.strictObject({ path: z.string(), lines: z.int(), run: z.int() }))
    .optional()
    .meta({
      description:
        'Only for `coverage`: the executable added lines of each file (`lines`), and how many of them tests ran (`run`); the largest gaps first, at most 50',
    }),
  total_files: z.int().optional(),
});

export const reportShape = z
  .strictObject({
    walkthrough: z.strictObject({
      areas: z
        .array(
          z.strictObject({
            path: z.string(),
            files: z.int(),
            added: z.int(),
            removed: z.int(),
            symbols: z.strictObject({ added: names, changed: names, removed: names }),
          }),
        )
        .meta({ description: 'Folders, merged into their parents until there are at most 50' }),
      total_areas: z.int(),
      reading_order: names.meta({
        description:
          'At most 100 paths: files that others use come first, tests after the code, generated files last',
      }),
      moved_only: names.meta({ description: 'Files that have a new path and no other change' }),
    }),
    impact: z.array(impact).meta({ description: 'Changed symbols that other code uses, at most 100' }),
    total_impact: z.int(),
    together: z
      .array(z.strictObject({ path: z.string(), usually_with: z.string(), times: z.int(), of: z.int() }))
      .meta({
        description: 'Files that usually change together with a changed file, but did not; at most 20',
      }),
    total_together: z.int(),
    dependencies: z.array(dependency).meta({ description: 'At most 500' }),
    total_dependencies: z.int(),
    contracts: z.array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['openapi', 'graphql', 'protobuf']),
        breaking: z.int(),
        compatible: z.int(),
      }),
    ),
    checks: z.array(checkShape),
    preexisting: z
      .array(
        z.strictObject({
          path: z.string(),
          start_line: z.int(),
          rule: z.string(),
          severity: z.enum(severities),
          title: z.string(),
        }),
      )
      .meta({ description: 'Findings of rules on lines that the change did not touch; the worst 50' }),
    total_preexisting: z.int(),
    quiet: z.array(z.strictObject({ finding_id: z.string(), reason: z.string() })),
    reviewers: z
      .array(z.strictObject({ username: z.string(), reason: z.string(), share: z.number().min(0).max(1) }))
      .meta({
        description:
          'Suggested reviewers, at most 5: owners first, then the authors of the code that the change touches',
      }),
    guidelines: names,
    risk: z.strictObject({ level: z.enum(['low', 'medium', 'high']), reasons: names }),
  })
  .meta({ description: 'Null until there is one' });
