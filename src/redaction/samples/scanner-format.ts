/** One format that a public scanner recognizes: the scanner's rule, the owner to use in names, and the format of the secret. */
export interface ScannerFormat {
  readonly rule: string;
  readonly owner: string;
  /** For `generateSample`; the part before `¦` is public and may stay. */
  readonly format: string;
  /** How samples appear in text, if not as a value assigned to a name: `‹s›` is the secret. */
  readonly forms?: readonly string[];
}

export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Parses a table of formats, one per line: rule, owner and format. */
export function formats(table: string): ScannerFormat[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [rule, owner, format] = line.trim().split(/ +/) as [string, string, string];
      return { rule, owner, format };
    });
}

/** Creates a format whose secrets appear only in the given contexts. */
export function placed(rule: string, format: string, ...forms: string[]): ScannerFormat {
  return { rule, owner: rule, format, forms };
}
