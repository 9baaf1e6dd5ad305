const identifier = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Shorter names occur everywhere. */
const minLength = 3;

export function identifiersIn(text: string): Set<string> {
  return new Set(
    [...text.matchAll(identifier)].map(([name]) => name).filter((name) => name.length >= minLength),
  );
}

const fence = /^(?:```|~~~)[^\n]*\n[\s\S]*?^(?:```|~~~)[^\n]*$/gm;
const codeMark = /(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;

/** The names in a comment: the identifiers in its code spans, and those that its suggestion would add. */
export function namesIn(comment: {
  readonly text: string;
  readonly suggestion: string | null;
  readonly quote: string;
}): Set<string> {
  const marks = [...comment.text.replaceAll(fence, '').matchAll(codeMark)].map(([, , code]) => code!);
  const suggested = identifiersIn(comment.suggestion ?? '').difference(identifiersIn(comment.quote));
  return identifiersIn(marks.join('\n')).union(suggested);
}
