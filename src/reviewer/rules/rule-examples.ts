/** A text about which a rule speaks up, and one that does the same without the fault. Both are shown on the page of the rule, and tested. */
export interface RuleExample {
  /** The file that both are versions of; decides who looks at it. */
  readonly path: string;
  readonly fails: string;
  readonly passes: string;
}

/** An example of every rule of a table. */
export type RuleExamples<Table> = Readonly<Record<keyof Table, RuleExample>>;
