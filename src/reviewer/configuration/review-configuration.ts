import { z } from 'zod';
import { globShape } from '../../lib/wire/glob-shape.ts';
import { severities } from '../finding-vocabulary.ts';
import { type CheckSettings, checksShape } from './checks-shape.ts';

const glob = globShape;
const name = z.string().min(1).max(200);

/** The rules that a configuration can turn off; the organization's own rules always apply. */
export const ruleNames = [
  'oxlint',
  'ruff',
  'actionlint',
  'secrets',
  'shell',
  'patterns',
  'text',
  'references',
  'dependencies',
  'docker',
  'terraform',
  'kubernetes',
  'workflows',
  'migrations',
  'contracts',
  'dataflow',
] as const;

const severity = z.enum(severities);

/** `.postil.yaml`: strict, and every field is optional. */
export const postilFileShape = z
  .strictObject({
    reviews: z
      .strictObject({
        auto_review: z
          .strictObject({
            enabled: z.boolean().describe('Review pull requests when they are opened or pushed to.'),
            drafts: z.boolean().describe('Review drafts too.'),
            base_branches: z
              .array(glob)
              .max(100)
              .describe('Review only pull requests into these branches (globs); empty: into any.'),
            ignore_authors: z
              .array(name)
              .max(500)
              .describe('User names whose pull requests are not reviewed.'),
            labels: z
              .array(name)
              .max(100)
              .describe(
                'Review only pull requests with one of these labels; `!label` excludes those with this label.',
              ),
          })
          .partial(),
        path_filters: z
          .array(glob)
          .max(500)
          .describe('`!dist/**` excludes. If there are globs without `!`, only matching files are reviewed.'),
        path_instructions: z
          .array(z.strictObject({ path: glob, instructions: z.string().min(1).max(20_000) }))
          .max(200)
          .describe('Instructions to the model for files that match.'),
        severity_floor: severity.describe('Findings below this severity are not raised.'),
        max_comments: z
          .int()
          .min(0)
          .max(200)
          .describe('The maximum number of findings that are posted, the worst first.'),
        fail_on: z
          .enum([...severities, 'none'])
          .describe('The status turns red if a finding has at least this severity; none: never.'),
        publish: z
          .enum(['automatic', 'on_release'])
          .describe('Post reviews automatically, or only what a member releases.'),
        rules: z
          .strictObject(
            Object.fromEntries(ruleNames.map((rule) => [rule, z.boolean()])) as Record<
              RuleName,
              z.ZodBoolean
            >,
          )
          .partial(),
        dependencies: z
          .strictObject({
            licences: z
              .strictObject({
                allow: z
                  .array(name)
                  .max(200)
                  .describe('SPDX names of the licences that packages may have; empty: any.'),
                deny: z.array(name).max(200).describe('SPDX names of licences that packages must not have.'),
              })
              .partial(),
          })
          .partial(),
        model: z.strictObject({ enabled: z.boolean() }).partial(),
        attention: z
          .strictObject({
            enabled: z
              .boolean()
              .describe('Do not post findings of rules whose findings are seldom accepted here.'),
            min_outcomes: z
              .int()
              .min(1)
              .max(100_000)
              .describe('The number of findings of a rule with a known outcome before it can become quiet.'),
            mute_below: z
              .number()
              .min(0)
              .max(1)
              .describe(
                'A rule is quiet if the upper bound of its estimated acceptance is below this share.',
              ),
          })
          .partial(),
      })
      .partial(),
    checks: checksShape,
    knowledge_base: z
      .strictObject({
        learnings: z
          .strictObject({
            approval_delay: z
              .int()
              .min(0)
              .max(365)
              .describe('Days until a Learning from a chat is approved automatically.'),
          })
          .partial(),
        guidelines: z
          .strictObject({
            enabled: z
              .boolean()
              .describe('Show the model the guidelines that maintainers wrote for changes to the code.'),
            files: z
              .array(glob)
              .max(100)
              .describe(
                'The files of the base with guidelines; by default, AGENTS.md, CLAUDE.md and similar files.',
              ),
          })
          .partial(),
      })
      .partial(),
    mcp: z
      .strictObject({
        servers: z
          .array(name)
          .max(50)
          .describe('The MCP servers that the model may use, of those that the organization has set up.'),
      })
      .partial(),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag such as en or pt-BR')
      .describe('The language of comments.'),
  })
  .partial();

export type RuleName = (typeof ruleNames)[number];

/** The content of a `.postil.yaml`, or an organization's defaults. */
export type PostilFile = z.output<typeof postilFileShape>;

type Decided<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [Key in keyof T]-?: Decided<Exclude<T[Key], undefined>> }
    : T;

/** The configuration of a review, with all defaults applied. Fields are named as in the file, for a single vocabulary. */
export type ReviewConfiguration = Decided<Omit<PostilFile, 'knowledge_base' | 'checks'>> & {
  /** Only configured checks; there are none by default. */
  readonly checks: CheckSettings;
  /** `approval_delay` is null if neither the file nor the organization's defaults set one. */
  readonly knowledge_base: {
    readonly learnings: { readonly approval_delay: number | null };
    readonly guidelines: { readonly enabled: boolean; readonly files: readonly string[] };
  };
};

/** The usual files in which maintainers write guidelines for code changes. */
export const guidelineFiles: readonly string[] = [
  '**/AGENTS.md',
  '**/CLAUDE.md',
  '**/GEMINI.md',
  '**/REVIEW.md',
  '**/.cursorrules',
  '**/.cursor/rules/**/*.mdc',
  '**/.windsurfrules',
  '.github/copilot-instructions.md',
  '.github/instructions/**/*.instructions.md',
];

/** The built-in defaults. */
export const defaultConfiguration: ReviewConfiguration = {
  reviews: {
    auto_review: { enabled: true, drafts: false, base_branches: [], ignore_authors: [], labels: [] },
    path_filters: [],
    path_instructions: [],
    severity_floor: 'minor',
    max_comments: 15,
    fail_on: 'critical',
    publish: 'automatic',
    rules: {
      oxlint: true,
      ruff: true,
      actionlint: true,
      secrets: true,
      shell: true,
      patterns: true,
      text: true,
      references: true,
      dependencies: true,
      docker: true,
      terraform: true,
      kubernetes: true,
      workflows: true,
      migrations: true,
      contracts: true,
      dataflow: true,
    },
    dependencies: { licences: { allow: [], deny: [] } },
    model: { enabled: true },
    attention: { enabled: true, min_outcomes: 20, mute_below: 0.2 },
  },
  checks: {},
  knowledge_base: {
    learnings: { approval_delay: null },
    guidelines: { enabled: true, files: guidelineFiles },
  },
  mcp: { servers: [] },
  language: 'en',
};

/**
 * Merges settings in the order of their precedence, lowest first: built-in defaults, the organization's defaults, the
 * repository's file. Lists are replaced, not joined, so that a repository can also shorten them.
 */
export function resolveConfiguration(...layers: readonly (PostilFile | undefined)[]): ReviewConfiguration {
  return layers.reduce<ReviewConfiguration>(
    (below, said) => overlay(below, said ?? {}),
    defaultConfiguration,
  );
}

function overlay<T extends object>(below: T, said: object): T {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(below));
  for (const [key, value] of Object.entries(said)) {
    if (value === undefined) continue;
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    merged[key] = isGroup ? overlay((merged[key] ?? {}) as object, value) : value;
  }
  return merged as T;
}
