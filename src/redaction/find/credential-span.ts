/** A range of the text that contains a credential, and the id of the rule that recognized it. */
export interface CredentialSpan {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly ruleId: string;
}

/** Sorts the spans and merges those that overlap or touch; a merged span keeps the rule of its first part. */
export function mergeSpans(spans: readonly CredentialSpan[]): CredentialSpan[] {
  const merged: CredentialSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || span.start > last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}
