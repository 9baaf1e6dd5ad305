import { isForDevelopers, isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding, firstSyntaxFault, unusedTogether } from '../rule-facts.ts';
import type { RuffDiagnostic, RuffEdit } from './check-python.ts';
import { ruffTable } from './ruff-table.ts';

/** Rules whose fixes change nothing but the fault. Ruff itself does not report this. */
const safeFixes: ReadonlySet<string> = new Set(['F401', 'F504', 'F522', 'F632']);

/**
 * Files where unused imports are normal: packages and stubs, and migrations, which are generated from a template with its
 * imports.
 */
const importsForOthers =
  /(?:^|\/)(?:__init__|conftest)\.py$|\.pyi$|(?:^|\/)(?:alembic|migrations)\/versions\//;
const secretNames =
  /passw|secret|token|session|cookie|nonce|salt|\botp\b|api_?key|captcha|csrf|remember_?me|verification_?code/i;
/** How many lines before and after a random number are searched for its purpose. */
const reach = 4;
const bareExcept = 'E722';
const unusedImport = 'F401';
/** Rules for which Ruff's message repeats our text, or advises something else. */
const unusedMessages: ReadonlySet<string> = new Set(['S110', 'S311', 'S324', 'B006', 'B018', 'F632']);

/** Rules for Python, by Ruff as WebAssembly. */
export const ruff: RuleSource = {
  name: 'ruff',
  covers: (path) => /\.pyi?$/.test(path),
  async find(files, signal) {
    const { pythonChecker } = await import('./check-python.ts');
    const check = pythonChecker([...Object.keys(ruffTable), bareExcept]);
    const findIn = (file: SourceText) =>
      firstSyntaxFault(
        unusedTogether(findingsOf(file, check(file.text)), 'ruff/F401', ruffTable.F401![3]),
        'ruff/invalid-syntax',
      );
    return findOneByOne(findIn)(files, signal);
  },
};

/** A file with facts that are computed once. */
interface Examinee {
  readonly path: string;
  readonly lines: readonly string[];
  /** The lines with diagnostics of a rule. */
  readonly linesWith: (code: string) => ReadonlySet<number>;
}

function findingsOf({ path, text }: SourceText, diagnostics: readonly RuffDiagnostic[]): RuleFinding[] {
  if (diagnostics.length === 0) return [];
  const byCode = Map.groupBy(diagnostics, ({ code }) => code);
  const linesOf = (code: string) => new Set(byCode.get(code)?.map(({ startLine }) => startLine));
  const known = new Map([unusedImport, bareExcept].map((code) => [code, linesOf(code)]));
  const file = { path, lines: text.split('\n'), linesWith: (code: string) => known.get(code)! };
  return diagnostics
    .filter((diagnostic) => isWanted(file, diagnostic))
    .map((diagnostic) => toFinding(file, diagnostic));
}

/**
 * Whether a diagnostic becomes a finding. Some code is right in some files: packages and stubs import names for others to use.
 */
function isWanted(
  { path, lines, linesWith }: Examinee,
  { code, message, startLine }: RuffDiagnostic,
): boolean {
  if (!(code in ruffTable)) return false;
  if (code === unusedImport) return !isTest(path) && !importsForOthers.test(path);
  // An unused import that another definition of the same name hides is one fault.
  const hidden = code === 'F811' ? Number(/ from line (\d+)/.exec(message)?.[1]) : undefined;
  if (hidden !== undefined && (linesWith(unusedImport).has(hidden) || isDecorated(lines, hidden)))
    return false;
  // Tests evaluate expressions to see them raise, and their unused variables are harmless.
  if (isTest(path) && ['B015', 'B018', 'F841'].includes(code)) return false;
  // The names in `__all__` of a package may be its modules, which `import *` loads.
  if (code === 'F822' && path.endsWith('__init__.py')) return false;
  // Frameworks define such names in the modules that they load.
  if (code === 'F821' && /`__\w+__`/.test(message)) return false;
  // In tests and scripts of developers, any random number or hash will do; elsewhere, random numbers matter only near secrets.
  if (code === 'S311' || code === 'S324')
    return !isTest(path) && !isForDevelopers(path) && (code === 'S324' || isAboutSecrets(lines, startLine));
  // Only a bare `except`: swallowing a named exception is a decision.
  if (code === 'S110') return linesWith(bareExcept).has(startLine);
  return code === 'invalid-syntax' || !path.endsWith('.pyi');
}

/** Whether a decorator registers the definition on this line, as for routes. */
function isDecorated(lines: readonly string[], line: number): boolean {
  for (let at = line - 1; at > Math.max(0, line - 8); at -= 1) {
    const text = (lines[at - 1] ?? '').trim();
    if (text.startsWith('@')) return true;
    if (text === '' || /^(?:def|class|return|async)\b/.test(text)) return false;
  }
  return false;
}

/** Whether the lines around name a secret. */
function isAboutSecrets(lines: readonly string[], line: number): boolean {
  const around = lines.slice(Math.max(0, line - 1 - reach), line + reach);
  return around.some((text) => secretNames.test(text));
}

function toFinding({ lines }: Examinee, diagnostic: RuffDiagnostic): RuleFinding {
  const { code, message, startLine, endLine } = diagnostic;
  const said = unusedMessages.has(code) ? '' : message;
  const described = describeFinding(ruffTable[code]!, said);
  const suggestion = safeFixes.has(code) ? suggestionOf(lines, diagnostic) : null;
  return { rule: `ruff/${code}`, startLine, endLine, ...described, suggestion };
}

/** The lines of the finding with Ruff's fix; null if there is none, if it changes other lines, or if nothing is left of them. */
function suggestionOf(all: readonly string[], { startLine, endLine, edits }: RuffDiagnostic): string | null {
  const isWithin = edits.every(({ from, to }) => from[0] >= startLine && to[0] <= endLine);
  if (edits.length === 0 || !isWithin) return null;
  const lines = all.slice(startLine - 1, endLine);
  const offsetOf = ([line, column]: RuffEdit['from']) =>
    lines.slice(0, line - startLine).reduce((sum, { length }) => sum + length + 1, 0) + column - 1;
  const backwards = edits.toSorted((a, b) => offsetOf(b.from) - offsetOf(a.from));
  const fixed = backwards.reduce(
    (code, { from, to, content }) => code.slice(0, offsetOf(from)) + content + code.slice(offsetOf(to)),
    lines.join('\n'),
  );
  return fixed.trim() === '' ? null : fixed;
}
