import { isForDevelopers, isTest } from '../../change/file-kinds.ts';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { findOneByOne } from '../find-one-by-one.ts';
import { describeFinding, firstSyntaxFault, unusedTogether } from '../rule-facts.ts';
import type { RuffDiagnostic, RuffEdit } from './check-python.ts';
import { ruffTable } from './ruff-table.ts';

/** Whose fixes do not change what the program does, but for what is wrong in it; Ruff does not say that itself. */
const safeFixes: ReadonlySet<string> = new Set(['F401', 'F504', 'F522', 'F632']);

/** Packages, stubs, and migrations, which are made from a template with all its imports. */
const importsForOthers =
  /(?:^|\/)(?:__init__|conftest)\.py$|\.pyi$|(?:^|\/)(?:alembic|migrations)\/versions\//;
const secretNames =
  /passw|secret|token|session|cookie|nonce|salt|\botp\b|api_?key|captcha|csrf|remember_?me|verification_?code/i;
/** How far from a random number it is said what it is for. */
const reach = 4;
const bareExcept = 'E722';
const unusedImport = 'F401';
/** Where the tool's sentence says the same as ours, or advises something else. */
const ownWords: ReadonlySet<string> = new Set(['S110', 'S311', 'S324', 'B006', 'B018', 'F632']);

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

/** A file with what is asked of it again and again. */
interface Examinee {
  readonly path: string;
  readonly lines: readonly string[];
  /** The lines on which a rule has something to say. */
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

/** What is right in some files: packages and stubs import names for others to use. */
function isWanted(
  { path, lines, linesWith }: Examinee,
  { code, message, startLine }: RuffDiagnostic,
): boolean {
  if (!(code in ruffTable)) return false;
  if (code === unusedImport) return !isTest(path) && !importsForOthers.test(path);
  // An import that is not used, and hidden by a parameter of the same name, is one fault.
  const hidden = code === 'F811' ? Number(/ from line (\d+)/.exec(message)?.[1]) : undefined;
  if (hidden !== undefined && (linesWith(unusedImport).has(hidden) || isDecorated(lines, hidden)))
    return false;
  // A test evaluates an expression to see it raise, and what it does not use harms nobody.
  if (isTest(path) && ['B015', 'B018', 'F841'].includes(code)) return false;
  // What a package offers may be its modules, which `import *` loads.
  if (code === 'F822' && path.endsWith('__init__.py')) return false;
  // Frameworks put such names into the modules that they load.
  if (code === 'F821' && /`__\w+__`/.test(message)) return false;
  // Where nothing is to be kept from anybody, any random number or hash will do.
  if (code === 'S311' || code === 'S324')
    return !isTest(path) && !isForDevelopers(path) && (code === 'S324' || isAboutSecrets(lines, startLine));
  // Only a bare `except`: to swallow a named exception is a decision.
  if (code === 'S110') return linesWith(bareExcept).has(startLine);
  return code === 'invalid-syntax' || !path.endsWith('.pyi');
}

/** Whether somebody was handed the definition on this line by a decorator, as routes are. */
function isDecorated(lines: readonly string[], line: number): boolean {
  for (let at = line - 1; at > Math.max(0, line - 8); at -= 1) {
    const text = (lines[at - 1] ?? '').trim();
    if (text.startsWith('@')) return true;
    if (text === '' || /^(?:def|class|return|async)\b/.test(text)) return false;
  }
  return false;
}

/** Whether the lines around name something that nobody must guess. */
function isAboutSecrets(lines: readonly string[], line: number): boolean {
  const around = lines.slice(Math.max(0, line - 1 - reach), line + reach);
  return around.some((text) => secretNames.test(text));
}

function toFinding({ lines }: Examinee, diagnostic: RuffDiagnostic): RuleFinding {
  const { code, message, startLine, endLine } = diagnostic;
  const said = ownWords.has(code) ? '' : message;
  const described = describeFinding(ruffTable[code]!, said);
  const suggestion = safeFixes.has(code) ? suggestionOf(lines, diagnostic) : null;
  return { rule: `ruff/${code}`, startLine, endLine, ...described, suggestion };
}

/** The lines of the finding as Ruff would have them; null if it changes others too, or leaves nothing of them. */
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
