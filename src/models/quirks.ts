/** What a server turned out not to understand of the usual questions. */
export interface Quirks {
  /** It refuses a JSON Schema for the answer; the instructions describe it in words anyway. */
  readonly isPlain: boolean;
  /** It wants the limit of the answer under its newer name. */
  readonly hasCompletionTokens: boolean;
  /** It answers in one piece although it was asked to stream. */
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

/** What to do differently after a refusal; undefined where asking again would not help. */
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
