import type { RepositoryCode } from './repository-code.ts';

// Some code expects a use to fail, or tests first whether the name exists. It does so at the use or around it, so that the
// text there is enough to detect it.

interface Guards {
  /** Whether the use is expected to fail, for whatever reason. */
  expectsFailure(lines: readonly string[], index: number, path: string): boolean;
  /** Whether the name is only used after a test that it exists. */
  testsFirst?(lines: readonly string[], index: number, name: string): boolean;
}

const nearLines = 3;
const above = (lines: readonly string[], index: number) =>
  lines.slice(Math.max(0, index - nearLines), index + 1).join('\n');
const atOrAround = (lines: readonly string[], index: number) => [
  lines[index] ?? '',
  ...headersAbove(lines, index),
];

const byLanguage: Readonly<Record<string, Guards>> = {
  javascript: {
    expectsFailure(lines, index) {
      const [own = '', before = ''] = [lines[index], lines[index - 1]];
      const below = lines.slice(index, index + nearLines + 1).join('\n');
      const near = above(lines, index);
      return (
        /@ts-(?:expect-error|ignore)\b/.test(before) ||
        /\bas any\)\s*\(/.test(own) ||
        /\b(?:throws|rejects)\(/.test(near) ||
        (/\bexpect\(/.test(near) && /\.toThrow/.test(below))
      );
    },
    testsFirst(lines, index, name) {
      const word = RegExp.escape(name);
      return (
        new RegExp(`\\b${word}\\?\\.\\(`).test(lines[index] ?? '') ||
        new RegExp(`typeof\\s+[\\w$.?]*\\b${word}\\b|['"]${word}['"]\\s+in\\s`).test(above(lines, index))
      );
    },
  },
  python: {
    expectsFailure: (lines, index) =>
      atOrAround(lines, index).some((line) => /\b(?:raises|assertRaises\w*|suppress)\(/.test(line)),
    testsFirst: (lines, index) =>
      atOrAround(lines, index).some((line) => /\bhasattr\(|\bsys\.version_info\b/.test(line)),
  },
  go: {
    // With build constraints, there may be another definition for other systems.
    expectsFailure: (lines, _index, path) =>
      isForOneSystem(path) || lines.slice(0, 40).some((line) => /^\/\/(?:go:build|\s*\+build)\s/.test(line)),
  },
};

/** The first lines of the blocks around a line, found by indentation. */
function headersAbove(lines: readonly string[], index: number): string[] {
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const found: string[] = [];
  let indent = indentOf(lines[index] ?? '');
  for (let at = index - 1; at >= 0 && indent > 0; at -= 1) {
    const line = lines[at]!;
    if (line.trim() === '' || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    found.push(line);
  }
  return found;
}

/** Whether Go compiles the file only for the system or architecture in its name. */
function isForOneSystem(path: string): boolean {
  return /_(?:aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows|386|amd64|arm|arm64|loong64|mips\w*|ppc64\w*|riscv64|s390x|wasm)(?:_test)?\.go$/.test(
    path,
  );
}

/** Whether the code around a use expects that it fails, or, if the name is gone, tests that it exists. Lines start at 1. */
export async function isGuardedUse(
  { language, tree }: RepositoryCode,
  { path, line }: { readonly path: string; readonly line: number },
  name: string,
  isGone: boolean,
): Promise<boolean> {
  const guards = byLanguage[language.name];
  const lines = (await tree.read(path))?.split('\n');
  if (guards === undefined || lines === undefined) return false;
  return (
    guards.expectsFailure(lines, line - 1, path) ||
    (isGone && guards.testsFirst?.(lines, line - 1, name) === true)
  );
}
