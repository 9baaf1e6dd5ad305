/** A check in plain words; its maintainers wrote it, never the change. */
export interface CheckQuestion {
  readonly name: string;
  readonly instructions: string;
}

/** A change as a model is shown it to be asked about, without credentials. */
export interface ShownForQuestions {
  readonly text: string;
  /** Changed files that are not shown as a whole, although somebody could have written them. */
  readonly left: readonly string[];
  /** For each check, files in which the change speaks to whoever checks it. */
  readonly orders: Readonly<Record<string, readonly string[]>>;
  /** Whether there is anything to ask about. */
  readonly isEmpty: boolean;
}
