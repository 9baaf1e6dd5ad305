/** One format that a public scanner recognises: its rule there, whose name it is given to, and the secret. */
export interface ScannerFormat {
  readonly rule: string;
  readonly owner: string;
  /** For `generateSample`; what stands before `¦` is public and may stay. */
  readonly format: string;
  /** How samples stand in a text, when not as a value given to a name: `‹s›` is the secret. */
  readonly forms?: readonly string[];
}

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Reads a table of formats, one a line: rule, owner and format. */
export function formats(table: string): ScannerFormat[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [rule, owner, format] = line.trim().split(/ +/) as [string, string, string];
      return { rule, owner, format };
    });
}

/** Makes a format whose secrets stand in places of their own. */
export function placed(rule: string, format: string, ...forms: string[]): ScannerFormat {
  return { rule, owner: rule, format, forms };
}
