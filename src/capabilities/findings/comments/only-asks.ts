import { plainProse, sentencesOf } from './plain-prose.ts';

/** A request in the form of a question, or next to one. */
const request =
  /^(?:\W*(?:so|and|also|or|nit|minor)\W+)?(?:can|could|would|should|shall|may|might|maybe|perhaps|how about|what about|what if|let's)\b|\b(?:please|suggest\w*|better|prefer\w*|instead|rather|consider|rename|remove|add|fix|typo|needs? to|must|bitte|kannst|könn\w+|puedes|podr[ií]as|por favor|peux|pouvez|pourr\w+|stp|svp|può|potresti|pode\w*|proszę|пожалуйста|lütfen)\b|请|吧|ください|お願い|해\s?주세요/iu;

/** Whether a comment only asks something. Such a thread can be resolved by an answer, without any change of the code. */
export function onlyAsks(body: string): boolean {
  const sentences = sentencesOf(plainProse(body));
  return /[?？]\W*$/.test(sentences.at(-1) ?? '') && !sentences.some((sentence) => request.test(sentence));
}
