import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { faultsOf } from '../../../../lib/wire/faults.ts';
import { categories, severities } from '../../../review-metrics/record/finding-vocabulary.ts';

/** The languages that rules can be written for, by the names that rules use, and the files they apply to. */
export const languages = {
  javascript: /\.(?:[cm]?js|jsx)$/,
  typescript: /\.[cm]?ts$/,
  tsx: /\.tsx$/,
  html: /\.html?$/,
  css: /\.css$/,
  python: /\.pyi?$/,
  go: /\.go$/,
} as const;
export type Language = keyof typeof languages;

const aliases: Record<string, Language> = {
  js: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  py: 'python',
  golang: 'go',
};

const language = z.string().transform((name, issues): Language => {
  const lower = name.toLowerCase();
  const known = aliases[lower] ?? lower;
  if (known in languages) return known as Language;
  issues.addIssue(`must be one of ${Object.keys(languages).join(', ')}`);
  return z.NEVER;
});

const matcher = z.record(z.string(), z.unknown());

/** A rule as ast-grep documents it; `metadata` may say severity and category in the words of Postil. */
const ruleShape = z.object({
  id: z.string().regex(/^[\w./-]{1,100}$/, 'must be letters, digits and ._/-'),
  language,
  rule: matcher,
  message: z.string().max(1_000).default(''),
  note: z.string().max(5_000).default(''),
  severity: z.enum(['error', 'warning', 'info', 'hint', 'off']).default('warning'),
  constraints: z.record(z.string(), matcher).optional(),
  utils: z.record(z.string(), matcher).optional(),
  files: z.array(z.string().max(500)).max(100).default([]),
  ignores: z.array(z.string().max(500)).max(100).default([]),
  metadata: z
    .object({ severity: z.enum(severities).optional(), category: z.enum(categories).optional() })
    .optional(),
});
export type AstGrepRule = z.output<typeof ruleShape>;

/** Reads the rules in a YAML text, several of them separated by `---`. Faults are sentences; then there are no rules. */
export function readAstGrepRules(text: string): { rules: AstGrepRule[]; faults: string[] } {
  const rules: AstGrepRule[] = [];
  const faults: string[] = [];
  const documents = parseAllDocuments(text);
  for (const [index, document] of (Array.isArray(documents) ? documents : []).entries()) {
    const where = `rule ${index + 1}`;
    if (document.errors.length > 0)
      faults.push(...document.errors.map(({ message }) => `${where}: ${message.split('\n')[0]}`));
    else if (document.contents !== null) {
      const parsed = ruleShape.safeParse(document.toJS({ maxAliasCount: 20 }));
      if (parsed.success) rules.push(parsed.data);
      else faults.push(...faultsOf(parsed.error, where));
    }
  }
  if (rules.length === 0 && faults.length === 0) faults.push('there is no rule in it');
  return { rules: faults.length === 0 ? rules : [], faults };
}
