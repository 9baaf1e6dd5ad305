import { postedTextStart } from '../../connections/hosts/review-host.ts';

/** The first line of an answer. People do not see it; whoever would answer again recognizes the answer by it (ADR 0101). */
export function writeAnswerMarker(commentKey: string): string {
  return `${postedTextStart}answer to=${commentKey} -->`;
}

const form = /^<!-- postil:answer to=((?:conversation|thread)\/[\w-]{1,200}) -->/;

/** Which comment a text of the own account answers; null if it is no answer. */
export function readAnswerMarker(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}

/** Written by a Postil, of this installation or another: nothing to answer. */
export function isWrittenByPostil(text: string): boolean {
  return text.trimStart().startsWith(postedTextStart);
}
