/** A text with the fault of a rule, and one that does the same without it. Both are shown on the page of the rule, and tested. */
export interface RuleExample {
  /** The path of both texts, by which sources decide whether to check them. */
  readonly path: string;
  readonly fails: string;
  readonly passes: string;
}

/** An example of every rule of a table. */
export type RuleExamples<Table> = Readonly<Record<keyof Table, RuleExample>>;
