import { siblingModule } from '../../../../lib/own-files.ts';
import { isTest } from '../../file-kinds.ts';
import { describeFinding, firstSyntaxFault } from '../rule-facts.ts';
import type { RuleFinding, RuleSource } from '../rule-source.ts';
import { runInProcess } from '../run-in-process.ts';
import { ruffTable } from './ruff-table.ts';

/** What the worker reports of a file. */
export interface RuffDiagnostic {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly endLine: number;
}

const worker = siblingModule('ruff-worker', import.meta.url);

/** Rules for Python, by Ruff as WebAssembly. */
export const ruff: RuleSource = {
  name: 'ruff',
  covers: (path) => /\.pyi?$/.test(path),
  async find(files, signal) {
    const texts = files.map(({ text }) => text);
    const found = await runInProcess<RuffDiagnostic[][]>(
      worker,
      { texts, codes: Object.keys(ruffTable) },
      signal,
    );
    return files.map(({ path }, index) =>
      firstSyntaxFault(
        found[index]!.filter(({ code }) => isWanted(path, code)).map(toFinding),
        'ruff/invalid-syntax',
      ),
    );
  },
};

/** What is right in some files: packages and stubs import names for others to use. */
function isWanted(path: string, code: string): boolean {
  if (code === 'F401') return !isTest(path) && !/(?:^|\/)(?:__init__|conftest)\.py$|\.pyi$/.test(path);
  // A test evaluates an expression to see it raise, and what it does not use harms nobody.
  if (isTest(path) && ['B015', 'B018', 'F841'].includes(code)) return false;
  return code in ruffTable && (code === 'invalid-syntax' || !path.endsWith('.pyi'));
}

function toFinding({ code, message, startLine, endLine }: RuffDiagnostic): RuleFinding {
  return { rule: `ruff/${code}`, startLine, endLine, ...describeFinding(ruffTable[code]!, message) };
}
