/** What applying an entry of the document did to the stored row. */
export type Outcome = 'created' | 'updated' | 'unchanged';

export interface Merged<Row> {
  readonly row: Row;
  readonly outcome: Outcome;
  /** The fields whose value changed; every field of a created row. */
  readonly changed: readonly string[];
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Merges the fields of a document entry into the stored row. Absent fields keep their value, or get the default in a new row. */
export function mergeRow<Row extends object>(
  stored: Row | undefined,
  fields: { readonly [Field in keyof Row]?: Row[Field] | undefined },
  defaults: Row,
): Merged<Row> {
  const row = { ...(stored ?? defaults) };
  const changed: string[] = [];
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || (stored !== undefined && isSame(stored[field as keyof Row], value))) continue;
    row[field as keyof Row] = value as Row[keyof Row];
    changed.push(field);
  }
  return {
    row,
    changed,
    outcome: stored === undefined ? 'created' : changed.length > 0 ? 'updated' : 'unchanged',
  };
}

/** Counts outcomes by kind. */
export function countOutcomes(outcomes: readonly Outcome[]) {
  const count = (kind: Outcome) => outcomes.filter((outcome) => outcome === kind).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}
