/** Features of a usual request that a server turned out not to support. */
export interface Quirks {
  /** It refuses a JSON Schema for the answer; the instructions describe the format in words in any case. */
  readonly isPlain: boolean;
  /** It requires `max_completion_tokens` instead of `max_tokens`. */
  readonly hasCompletionTokens: boolean;
  /** It answers in one piece although streaming was requested. */
  readonly isSilent: boolean;
}

export const noQuirks: Quirks = { isPlain: false, hasCompletionTokens: false, isSilent: false };

interface ErrorTypes {
  readonly APICallError: { isInstance(error: unknown): error is Error & CallError };
}

interface CallError {
  readonly statusCode?: number | undefined;
  readonly responseBody?: string | undefined;
}

/** The quirks to use for a retry after a refusal; undefined if a retry would not help. */
export function learnQuirk(known: Quirks, error: unknown, { APICallError }: ErrorTypes): Quirks | undefined {
  if (!APICallError.isInstance(error)) return undefined;
  const { statusCode = 0, responseBody = '' } = error;
  if (statusCode !== 400 && statusCode !== 422) return undefined;
  if (!known.hasCompletionTokens && responseBody.includes('max_completion_tokens'))
    return { ...known, hasCompletionTokens: true };
  if (
    !known.isPlain &&
    /response_format|json_schema|output_(?:format|config)|stream_options|structured/i.test(responseBody)
  )
    return { ...known, isPlain: true };
  return undefined;
}
