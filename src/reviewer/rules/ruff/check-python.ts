import { type Diagnostic, PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';

/** A diagnostic of Ruff. */
export interface RuffDiagnostic {
  readonly code: string;
  readonly message: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Ruff's fix, as replacements of text; lines and columns start at 1. */
  readonly edits: readonly RuffEdit[];
}

export interface RuffEdit {
  readonly from: readonly [line: number, column: number];
  readonly to: readonly [line: number, column: number];
  readonly content: string;
}

function check(workspace: Workspace, text: string): RuffDiagnostic[] {
  const found: Diagnostic[] = workspace.check(text);
  return found.map(({ code, message, fix, start_location: start, end_location: end }) => {
    // An end in the first column is the end of the line before.
    const last = end.column === 1 && end.row > start.row ? end.row - 1 : end.row;
    return {
      code: code ?? '',
      message,
      startLine: start.row,
      endLine: last - start.row > 10 ? start.row : last,
      edits: (fix?.edits ?? []).map(({ location, end_location: to, content }) => ({
        from: [location.row, location.column] as const,
        to: [to.row, to.column] as const,
        content: content ?? '',
      })),
    };
  });
}

/** Creates a checker for these rules. */
export function pythonChecker(codes: readonly string[]): (text: string) => RuffDiagnostic[] {
  const select = codes.filter((code) => /^[A-Z]+\d+$/.test(code));
  const workspace = new Workspace(
    { 'target-version': 'py314', preview: false, lint: { select } },
    PositionEncoding.Utf16,
  );
  return (text) => check(workspace, text);
}
