import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { globShape } from '../../lib/wire/glob-shape.ts';
import { categories, severities } from '../finding-vocabulary.ts';
import { type ConfigurationFault, faultsAt, placeOf } from './read-postil-file.ts';

/** The supported languages, by their names in rules, with the files that the rules apply to. */
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

/** The first CWE in metadata, in the formats that rules use elsewhere too: `CWE-89: …`, or a list of such texts. */
function readCwe(given: unknown): `CWE-${number}` | undefined {
  const number = /^CWE-(\d{1,5})\b/i.exec(String(Array.isArray(given) ? given[0] : given))?.[1];
  return number === undefined ? undefined : `CWE-${Number(number)}`;
}

const matcher = z.record(z.string(), z.unknown());

/** A rule in the format of ast-grep. `metadata` may contain a severity and category of Postil, and a CWE. */
const ruleShape = z.object({
  id: z.string().regex(/^[\w./-]{1,100}$/, 'must be letters, digits and ._/-'),
  language,
  rule: matcher,
  message: z.string().max(1_000).default(''),
  note: z.string().max(5_000).default(''),
  severity: z.enum(['error', 'warning', 'info', 'hint', 'off']).default('warning'),
  constraints: z.record(z.string(), matcher).optional(),
  utils: z.record(z.string(), matcher).optional(),
  files: z.array(globShape).max(100).default([]),
  ignores: z.array(globShape).max(100).default([]),
  metadata: z
    .object({
      severity: z.enum(severities).optional(),
      category: z.enum(categories).optional(),
      cwe: z.unknown().transform(readCwe).optional(),
    })
    .optional(),
});
export type AstGrepRule = z.output<typeof ruleShape>;

/** A rule, and the start of its YAML document. Lines and columns start at 1. */
export interface PlacedRule {
  readonly rule: AstGrepRule;
  readonly line: number;
  readonly column: number;
}

/** Parses the rules in a YAML text, separated by `---`. If there are faults, which are sentences, no rules are returned. */
export function readAstGrepRules(text: string): {
  rules: AstGrepRule[];
  placed: PlacedRule[];
  faults: string[];
} {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  const placed: PlacedRule[] = [];
  const faults: ConfigurationFault[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    const read = readDocument(document, lines);
    if (read !== undefined && 'rule' in read) placed.push(read);
    else if (read !== undefined) faults.push(...read.faults);
  }
  if (placed.length === 0 && faults.length === 0)
    faults.push({ line: 1, column: 1, message: 'there is no rule in it' });
  const kept = faults.length === 0 ? placed : [];
  return {
    rules: kept.map(({ rule }) => rule),
    placed: kept,
    faults: faults.map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`),
  };
}

function readDocument(
  document: Document.Parsed,
  lines: LineCounter,
): PlacedRule | { faults: ConfigurationFault[] } | undefined {
  if (document.errors.length > 0)
    return { faults: document.errors.map(({ pos, message }) => ({ ...placeOf(lines, pos[0]), message })) };
  const { contents } = document;
  if (contents === null) return undefined;
  const place = placeOf(lines, contents.range[0]);
  try {
    const parsed = ruleShape.safeParse(document.toJS({ maxAliasCount: 20 }));
    if (parsed.success) return { rule: parsed.data, ...place };
    return { faults: parsed.error.issues.flatMap((issue) => faultsAt(issue, document, lines)) };
  } catch (error) {
    // The library throws if aliases expand to too much data.
    return { faults: [{ ...place, message: (error as Error).message }] };
  }
}
