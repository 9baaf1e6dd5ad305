import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { RuleFinding, RuleSource, SourceText } from '../../rule-source.ts';
import { describeFinding } from '../rule-facts.ts';
import { runProgram } from '../run-program.ts';
import { checkShell, type ShellFault } from './shell-checks.ts';
import { shellTable } from './shell-table.ts';

const report = z.array(
  z.object({ file: z.string(), line: z.number(), code: z.number(), message: z.string() }),
);

/** Rules for shell scripts: ShellCheck if it is installed, and always a few checks of our own. */
export function shellRules(searchPath: string | undefined): RuleSource {
  let hasShellCheck: Promise<boolean> | undefined;
  return {
    name: 'shell',
    isProgram: true,
    covers: (name) => /\.(?:sh|bash|ksh|bats)$/.test(name),
    async find(files, signal) {
      hasShellCheck ??= isThere(searchPath, signal);
      const faults = (await hasShellCheck) ? await runShellCheck(files, searchPath, signal) : [];
      const byFile = Map.groupBy(faults, ({ file }) => file);
      return files.map((file) => {
        const own = checkShell(file.text).map((fault) => ({ ...fault, file }));
        return distinct([...(byFile.get(file) ?? []), ...own]).map(toFinding);
      });
    },
    async remark(signal) {
      hasShellCheck ??= isThere(searchPath, signal);
      return (await hasShellCheck)
        ? undefined
        : 'shell scripts were only checked for a few faults, since ShellCheck is not installed';
    },
  };
}

async function isThere(searchPath: string | undefined, signal: AbortSignal): Promise<boolean> {
  return runProgram('shellcheck', ['--version'], { folder: tmpdir(), signal, searchPath }).then(
    () => true,
    () => false,
  );
}

async function runShellCheck(
  files: readonly SourceText[],
  searchPath: string | undefined,
  signal: AbortSignal,
) {
  const folder = await mkdtemp(path.join(tmpdir(), 'postil-shell-'));
  try {
    const names = new Map(files.map((file, index) => [`${index}${path.extname(file.path)}`, file]));
    for (const [name, { text }] of names) await writeFile(path.join(folder, name), text);
    const include = Object.keys(shellTable).filter((code) => code.startsWith('SC'));
    // Neither the repository's .shellcheckrc nor files that a script sources are read.
    const args = ['--norc', '--format=json', `--include=${include.join(',')}`, ...names.keys()];
    const { output } = await runProgram('shellcheck', args, { folder, signal, searchPath });
    return report.parse(JSON.parse(output)).flatMap(({ file, line, code, message }) => {
      const source = names.get(file);
      return source === undefined ? [] : [{ file: source, line, code: `SC${code}`, message }];
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes duplicates, because ShellCheck and our own checks can find the same fault. */
function distinct<Fault extends ShellFault>(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter(({ code, line }) => {
    const key = `${code}:${line}`;
    return !seen.has(key) && seen.add(key);
  });
}

function toFinding({ code, line, message }: ShellFault): RuleFinding {
  const facts = shellTable[code]!;
  return {
    rule: `shell/${code}`,
    startLine: line,
    endLine: line,
    ...describeFinding(facts, message),
  };
}
