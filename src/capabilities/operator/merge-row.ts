/** How a thing of the document relates to what is stored. */
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

/** Lays what the document says over what is stored; what it does not say stays, or takes the default when new. */
export function mergeRow<Row extends object>(
  stored: Row | undefined,
  said: { readonly [Field in keyof Row]?: Row[Field] | undefined },
  defaults: Row,
): Merged<Row> {
  const row = { ...(stored ?? defaults) };
  const changed: string[] = [];
  for (const [field, value] of Object.entries(said)) {
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

/** Counts the outcomes of one kind of thing. */
export function tallyOf(outcomes: readonly Outcome[]) {
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return { created: count('created'), updated: count('updated'), unchanged: count('unchanged') };
}
