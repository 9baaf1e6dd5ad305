/** What earlier steps answered, by operation. */
// biome-ignore lint/suspicious/noExplicitAny: a step reads what it expects, and fails where it is not there
export type Answers = Record<string, any>;

/** One request of the scenario. */
export interface Step {
  readonly operation: string;
  /** Who calls; the operator unless the path says otherwise. */
  readonly as?: 'organization' | 'user' | 'workspace' | 'source' | 'selfHosted';
  readonly path?: (answers: Answers) => Record<string, string>;
  readonly query?: string;
  readonly body?: (answers: Answers) => unknown;
  readonly headers?: (body: unknown) => Record<string, string>;
  /** The request is repeated until its answer is like this; work that was asked for is done meanwhile. */
  readonly until?: (answer: Answers[string]) => boolean;
}
