import { siblingModule } from '../../../../lib/own-files.ts';
import { isForDevelopers, isTest } from '../../file-kinds.ts';
import { describeFinding, firstSyntaxFault } from '../rule-facts.ts';
import type { RuleFinding, RuleSource, SourceText } from '../rule-source.ts';
import { runInProcess } from '../run-in-process.ts';
import { ruffTable } from './ruff-table.ts';

/** What the worker reports of a file. */
export interface RuffDiagnostic {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Rules about values that become commands or code: constant texts, tests and scripts are harmless. */
const valueRules: ReadonlySet<string> = new Set(['S307', 'S602', 'S605']);
const bareExcept = 'E722';
/** Where the tool's sentence says the same as ours, or advises something else. */
const ownWords: ReadonlySet<string> = new Set([...valueRules, 'S110', 'B006', 'B018', 'F632']);

const worker = siblingModule('ruff-worker', import.meta.url);

/** Rules for Python, by Ruff as WebAssembly. */
export const ruff: RuleSource = {
  name: 'ruff',
  covers: (path) => /\.pyi?$/.test(path),
  async find(files, signal) {
    const texts = files.map(({ text }) => text);
    const found = await runInProcess<RuffDiagnostic[][]>(
      worker,
      { texts, codes: [...Object.keys(ruffTable), bareExcept] },
      signal,
    );
    return files.map((_, index) =>
      firstSyntaxFault(
        found[index]!.filter((diagnostic, _, all) => isWanted(files[index]!, diagnostic, all)).map(toFinding),
        'ruff/invalid-syntax',
      ),
    );
  },
};

/** What is right in some files: packages and stubs import names for others to use. */
function isWanted(
  { path, text }: SourceText,
  { code, message, startLine }: RuffDiagnostic,
  all: readonly RuffDiagnostic[],
): boolean {
  if (!(code in ruffTable)) return false;
  if (code === 'F401') return !isTest(path) && !/(?:^|\/)(?:__init__|conftest)\.py$|\.pyi$/.test(path);
  // A test evaluates an expression to see it raise, and what it does not use harms nobody.
  if (isTest(path) && ['B015', 'B018', 'F841'].includes(code)) return false;
  // Frameworks put such names into the modules that they load.
  if (code === 'F821' && /`__\w+__`/.test(message)) return false;
  if (valueRules.has(code)) {
    if (isTest(path) || isForDevelopers(path) || message.includes('seems safe')) return false;
    const line = text.split('\n')[startLine - 1] ?? '';
    return code !== 'S307' || !/\beval\(\s*[rRbBuU]{0,2}["']/.test(line);
  }
  // Only a bare `except`: to swallow a named exception is a decision.
  if (code === 'S110') return all.some((other) => other.code === bareExcept && other.startLine === startLine);
  return code === 'invalid-syntax' || !path.endsWith('.pyi');
}

function toFinding({ code, message, startLine, endLine }: RuffDiagnostic): RuleFinding {
  const said = ownWords.has(code) ? '' : message;
  return { rule: `ruff/${code}`, startLine, endLine, ...describeFinding(ruffTable[code]!, said) };
}
