/** The answers of earlier steps, by operation. */
// biome-ignore lint/suspicious/noExplicitAny: a step reads the fields that it expects, and fails if they are missing
export type Answers = Record<string, any>;

/** One request of the scenario. */
export interface Step {
  readonly operation: string;
  /** The caller; by default the operator, or none for paths that need no credentials. */
  readonly as?: 'organization' | 'user' | 'workspace' | 'source' | 'selfHosted';
  readonly path?: (answers: Answers) => Record<string, string>;
  readonly query?: string;
  readonly body?: (answers: Answers) => unknown;
  readonly headers?: (body: unknown) => Record<string, string>;
  /** The request is repeated until this is true of its answer, while the server works on it. */
  readonly until?: (answer: Answers[string]) => boolean;
}
