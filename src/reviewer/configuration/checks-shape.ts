import { z } from 'zod';
import { globShape } from '../../lib/wire/glob-shape.ts';
import { onObject } from '../../lib/wire/own-checks.ts';
import { patternShape } from '../../lib/wire/pattern-shape.ts';

/** The mode of a check whose settings have none. */
export const defaultMode = 'warning';

const modes = ['error', 'warning', 'off'] as const;
const aboutMode = `error: a failure turns the status red; warning: a failure is only reported; off: not checked. Default: ${defaultMode}.`;
const mode = z.enum(modes).describe(aboutMode).optional();
const name = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,49}$/, 'must be a short name in lower case, such as api-docs');
const count = z.int().min(0).max(1_000_000);
const globs = z.array(globShape).min(1).max(100);
const sentence = z.string().min(1).max(500);

/** A check whose settings are required, unless it is off. */
function unlessOff<Id extends z.ZodRawShape, Settings extends z.ZodRawShape>(id: Id, settings: Settings) {
  return z.discriminatedUnion(
    'mode',
    [
      z.strictObject({
        ...id,
        ...settings,
        mode: z.enum(modes).exclude(['off']).describe(aboutMode).optional(),
      }),
      z.strictObject({
        ...id,
        ...z.object(settings).partial().shape,
        mode: z.literal('off').describe(aboutMode),
      }),
    ],
    { error: ({ code }) => (code === 'invalid_union' ? `must be one of ${modes.join(', ')}` : undefined) },
  );
}

/** The names of built-in checks, which other checks must not use. */
export const builtInChecks = [
  'title',
  'description',
  'linked_issue',
  'size',
  'commits',
  'owners',
  'coverage',
  'findings',
] as const;

/** Finds duplicate names even if the file has other faults, because it is fixed faster if all faults are reported at once. */
function faultsOfNames(file: object) {
  const taken = new Set<unknown>(builtInChecks);
  const faults: { path: PropertyKey[]; name: string }[] = [];
  for (const list of ['together', 'ask'] as const) {
    const checks: unknown = Reflect.get(file, list);
    for (const [index, check] of (Array.isArray(checks) ? checks : []).entries()) {
      const given: unknown = check?.name;
      if (typeof given !== 'string') continue;
      if (taken.has(given)) faults.push({ path: [list, index, 'name'], name: given });
      taken.add(given);
    }
  }
  return faults;
}

/** `checks` of a `.postil.yaml`: the conditions for merging a pull request. */
export const checksShape = z
  .strictObject({
    title: unlessOff({}, { pattern: patternShape }).describe('The title matches the pattern.'),
    description: z
      .strictObject({
        min_length: count.optional(),
        sections: z.array(z.string().min(1).max(200)).max(20).optional(),
        mode,
      })
      .describe('The description is long enough and has these headings, with something below them.'),
    linked_issue: z
      .strictObject({
        required: z.boolean().optional(),
        patterns: z.array(patternShape).min(1).max(20).optional(),
        mode,
      })
      .describe(
        'An issue of the host is linked or named, or a pattern matches the issue of another tracker.',
      ),
    size: z
      .strictObject({
        max_lines: count.optional(),
        max_files: count.optional(),
        ignore: z.array(globShape).max(100).optional(),
        mode,
      })
      .describe('The maximum number of added and deleted lines, and of files.'),
    commits: z
      .strictObject({ no_fixup: z.boolean().optional(), conventional: z.boolean().optional(), mode })
      .describe('No fixup, squash or amend commits are left; all commits have conventional titles.'),
    together: z
      .array(unlessOff({ name }, { when: globs, require: globs, message: sentence.optional() }))
      .max(50)
      .describe('If a file of `when` changes, a file of `require` must change as well. `!glob` excludes.'),
    owners: z
      .strictObject({ approvals: z.int().min(1).max(10).optional(), mode })
      .describe('Every changed file with owners in CODEOWNERS has the approval of an owner.'),
    coverage: unlessOff({}, { changed_lines: z.number().min(0).max(100) }).describe(
      'Tests run at least this percentage of the executable added lines.',
    ),
    findings: z
      .strictObject({
        critical: count.optional(),
        major: count.optional(),
        minor: count.optional(),
        trivial: count.optional(),
        info: count.optional(),
        mode,
      })
      .describe('The maximum number of open findings of each severity.'),
    ask: z
      .array(unlessOff({ name }, { instructions: z.string().min(1).max(5_000) }))
      .max(20)
      .describe('Questions about the change in plain language, which a model answers.'),
  })
  .partial()
  .check(
    onObject(({ value, issues }) => {
      for (const { path, name: given } of faultsOfNames(value))
        issues.push({ code: 'custom', message: `another check is called ${given}`, path, input: given });
    }),
  );

export type CheckSettings = z.output<typeof checksShape>;

type Each<T> = T extends readonly (infer Element)[] ? Element : T;

/** The settings of a check that is not off. */
export type Wanted<Kind extends keyof CheckSettings> = Exclude<
  Each<NonNullable<CheckSettings[Kind]>>,
  { readonly mode: 'off' }
>;
