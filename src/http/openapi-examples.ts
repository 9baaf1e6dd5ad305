import examples from './openapi-examples.json' with { type: 'json' };

/** A request that was really sent, and its answer. */
export interface ApiExample {
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

/** By operation. */
export type ApiExamples = Readonly<Record<string, ApiExample>>;

/** Recorded by `npm run record-examples`; a test sends the requests again and compares. */
export const apiExamples: ApiExamples = examples;
