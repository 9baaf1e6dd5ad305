/** A check that is described in prose. It comes from trusted settings, never from the change. */
export interface CheckQuestion {
  readonly name: string;
  readonly instructions: string;
}

/** The change as it is shown to a model that answers questions about it; credentials are redacted. */
export interface ShownForQuestions {
  readonly text: string;
  /** Handwritten changed files that are not shown in full. */
  readonly left: readonly string[];
  /** By the name of a check, the files in which the change contains instructions for its reviewer. */
  readonly orders: Readonly<Record<string, readonly string[]>>;
  /** Whether there is nothing to ask about. */
  readonly isEmpty: boolean;
}
