import { z } from 'zod';
import { wireInstant } from '../../../lib/wire/wire.ts';
import { severities } from '../../../reviewer/finding-vocabulary.ts';

const names = z.array(z.string());

const impact = z.strictObject({
  symbol: z.string().meta({ description: 'As it was called' }),
  renamed_to: z.string().nullable(),
  path: z.string(),
  line: z.int().meta({ description: 'In the head; in the base where it is gone' }),
  change: z.enum(['removed', 'renamed', 'signature', 'made_async', 'moved']),
  references: z
    .array(
      z.strictObject({
        path: z.string(),
        line: z.int(),
        state: z.enum(['updated', 'fits', 'broken', 'unknown']).meta({
          description: '`updated`: the change touches it; `fits`: untouched and still right',
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
      verdict: z.enum(['failed', 'inconclusive']).meta({ description: 'What the check itself said' }),
      text: z.string(),
    })
    .optional()
    .meta({ description: 'Who overrode the check for this version and why; then it counts as passed' }),
  files: z
    .array(z.strictObject({ path: z.string(), lines: z.int(), run: z.int() }))
    .optional()
    .meta({
      description:
        'Of `coverage`: the added lines of each file that can be run, and how many are; the largest gaps first, at most 50',
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
        .meta({ description: 'Folders, joined upwards until there are at most 50' }),
      total_areas: z.int(),
      reading_order: names.meta({
        description: 'Paths, at most 100: what others use first, tests after the code, generated files last',
      }),
      moved_only: names.meta({ description: 'Files with a new path and nothing else' }),
    }),
    impact: z.array(impact).meta({ description: 'What changed for those who use it; at most 100' }),
    total_impact: z.int(),
    together: z
      .array(z.strictObject({ path: z.string(), usually_with: z.string(), times: z.int(), of: z.int() }))
      .meta({ description: 'Files that usually change with those of the change, and did not; at most 20' }),
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
      .meta({ description: 'What rules say about lines that the change leaves as they were; the worst 50' }),
    total_preexisting: z.int(),
    quiet: z.array(z.strictObject({ finding_id: z.string(), reason: z.string() })),
    reviewers: z
      .array(z.strictObject({ username: z.string(), reason: z.string(), share: z.number().min(0).max(1) }))
      .meta({ description: 'Who could review it, at most 5: its owners, then who wrote what it touches' }),
    guidelines: names,
    risk: z.strictObject({ level: z.enum(['low', 'medium', 'high']), reasons: names }),
  })
  .meta({ description: 'Null while there is none' });
