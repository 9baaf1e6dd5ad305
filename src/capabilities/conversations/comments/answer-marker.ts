import { postedTextStart } from '../../connections/hosts/review-host.ts';

/** The first line of an answer, invisible to people. A retry recognizes the answer by it (ADR 0101). */
export function writeAnswerMarker(commentKey: string): string {
  return `${postedTextStart}answer to=${commentKey} -->`;
}

const form = /^<!-- postil:answer to=((?:conversation|thread)\/[\w-]{1,200}) -->/;

/** Which comment a text of the own account answers; null if it is no answer. */
export function readAnswerMarker(text: string): string | null {
  return form.exec(text)?.[1] ?? null;
}

/** Whether a text was written by Postil, of this installation or another, and therefore needs no answer. */
export function isWrittenByPostil(text: string): boolean {
  return text.trimStart().startsWith(postedTextStart);
}
