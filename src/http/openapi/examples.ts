import type { Endpoint } from '../endpoint.ts';
import examples from './examples.json' with { type: 'json' };
import type { Json } from './schemas.ts';

/** A recorded request and its response. */
export interface ApiExample {
  readonly request?: unknown;
  readonly status: number;
  readonly response?: unknown;
}

/** Examples by operation id. */
export type ApiExamples = Readonly<Record<string, ApiExample>>;

/** Recorded by `npm run record-examples`; a test sends the requests again and compares. */
export const apiExamples: ApiExamples = examples;

/** The recorded answer with this status, or the recorded request. */
export function exampleOf({ operationId }: Endpoint, part: number | 'request'): Json {
  const recorded = apiExamples[operationId];
  const example = part === 'request' ? recorded?.request : recorded?.response;
  return example === undefined || (part !== 'request' && recorded?.status !== part) ? {} : { example };
}
