import { saysFixedAbroad, saysWontFixAbroad } from './foreign-replies.ts';
import { plainProse, sentencesOf } from './plain-prose.ts';

export type ReplyClass = 'fixed' | 'wont_fix';

/** Longer replies are discussions; what they mention in passing is not an answer. */
const maxSentences = 12;
const maxLength = 4_000;

const question =
  /\?\s*$|^(?:(?:so|and|hm+|ok|okay|wait|sorry)[, ]+)*(?:why|how|what|which|when|where|who|is|are|was|were|does|do|did|should|shall|could|would|can|may|has|have|isn't|aren't|doesn't|don't you|shouldn't|couldn't)\b(?!.*\b(?:fixed|done)\b\s*[.!]?$)/i;

/** Says that something is not done, not yet, or only on a condition. */
const unfinished =
  /\b(?:not|never|isn't|wasn't|hasn't|haven't|can't|cannot|couldn't|wouldn't|didn't|doesn't|won't|will|gonna|going to|should|could|would|might|may|must|needs?|want|to be|be|being|if|once|until|unless|when|todo|later|tomorrow|half|partially|partly|almost|nearly|try(?:ing)?|wip|already (?:handled|covered|checked))\b|'ll\b/i;

/** Phrases before the actual answer. */
const leadIn =
  /^(?:ok|okay|yes|yep|yeah|right|sure|thanks|thank you|thx|ty|(?:good|nice|great) (?:catch|point|spot|find|call)|agreed|makes sense|true|oops|ah|oh|ack|all|both|this|that|it|is|was|has been|that's|it's|now|have|i|i've|we|we've|just|already)[,.!:]*\s+/i;
const maxLeadIns = 8;

/** Emoji before the first word, except for those that mean no, not yet or perhaps. */
const picture =
  /^(?:(?!❌|❎|👎|🚫|⛔|🛑|❓|❔|❗|⚠|🤔|🚧|⏳|⌛|🔜)(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u200D\uFE0F])|:(?!x:|no_|-1:|thumbsdown|question|thinking|construction|hourglass|warning|soon)[\w+-]+:|\s)+(?=\p{L})/u;

const fixed = [
  /^(?:fixed|done|addressed|resolved|corrected|changed|updated|removed|renamed|added|adjusted|applied|implemented|refactored|reworked|cleaned up|taken care of|amended|adopted|incorporated|pushed)\b(?![- ](?:size|length|width|point|rate|assets?|up to|by design))/i,
  /\b(?:i|we)(?:'ve| have)? (?:just |now |also )?(?:fixed|addressed|resolved|corrected|changed|updated|removed|renamed|applied|implemented|reworked)\b/i,
  /\b(?:is|was|are|were|been|got) (?:now )?(?:fixed|addressed|resolved|corrected|taken care of)\b/i,
  /\b(?:fixed|addressed|resolved|done|corrected|changed|updated|removed) (?:it |this |that )?(?:in|by|with|via|as of) (?:commit )?(?:[0-9a-f]{7,40}\b|#\d+|the (?:last|latest|next|new) (?:commit|push|revision))/i,
  /^(?:✅|☑\uFE0F?|✔\uFE0F?|:white_check_mark:|:heavy_check_mark:|:\+1: (?:done|fixed))\s*(?:done|fixed)?[.!]?$/i,
  /^(?:fix(?:ed)?|done|✅ ?done)\s*[.!]*$/i,
  /^(?:ptal|ready for another look)\b.*\b(?:fixed|addressed|done)\b/i,
];

const wontFix = [
  /\b(?:won't|wont|will not|not going to|don't plan to|do not plan to|no plans to|not planning to|would rather not|i'd rather not|rather not|decided not to|choose not to|chose not to|prefer not to) (?:be )?(?:fix(?:ed|ing)?|chang(?:e|ed|ing)|address(?:ed|ing)?|do(?:ne|ing)?|mak(?:e|ing)|handl(?:e|ed|ing)|touch(?:ed|ing)?|implement(?:ed|ing)?|adopt(?:ed)?|worry)\b/i,
  /\bwon'?t[- ]?fix\b|\bwnf\b|^nofix\b/i,
  /\b(?:by|per) design\b|\b(?:works?|working|behaves?) as (?:intended|designed|expected)\b|\bas (?:intended|designed)\b/i,
  /\b(?:this|that|it|which|they|these|those)?(?:'s| is| was| are)? ?(?:intentional(?:ly)?|deliberate(?:ly)?|on purpose|intended|expected behaviou?r|the intended behaviou?r)\b/i,
  /\bfalse[- ](?:positive|alarm)\b/i,
  /\b(?:not|isn't|no) (?:really |actually |at all )?(?:an? )?(?:real |actual )?(?:issue|bug|problem|concern|needed|necessary|required|applicable|relevant|worth(?: it)?|an option)\b/i,
  /\bdisagree\b|\bi don't agree\b|\bdo not agree\b/i,
  /\bout of (?:the )?scope\b|\bbeyond the scope\b|\boutside (?:of )?(?:the )?scope\b|\bnot in scope\b/i,
  /\b(?:leav(?:e|ing)|keep(?:ing)?) (?:it|this|that|them|these|things)?\s*(?:as[- ]is|as it is|as they are|the way it is|like this|like that|unchanged|for now)\b/i,
  /^(?:n\/?a|nope|nah|no|no,? thanks|ignore(?: this)?|ignored|ignoring(?: this)?|skip|skipped|skipping|rejected|declined|dismiss(?:ed)?|invalid|wontfix|nack|acceptable(?: risk)?|acceptable as is)\s*[.!]*$/i,
  /\b(?:accept(?:ed|ing)?|acceptable) (?:the )?risk\b/i,
  /\b(?:already|is) (?:handled|covered|checked|validated|guaranteed|ensured) (?:elsewhere|above|below|by|in|at|upstream)\b/i,
];
const notWontFix =
  /\bnot (?:by design|intentional(?:ly)?|deliberate|intended|on purpose|expected|a false (?:positive|alarm)|out of scope)\b|\b(?:wasn't|isn't|weren't|aren't) (?:by design|intentional|deliberate|intended|on purpose|a false (?:positive|alarm)|out of scope)\b|\bun(?:intentional|intended)\b|\bnot (?:an? )?(?:issue|bug|problem) any ?more\b|\bno longer\b|\bif (?:this|that|it)\b|\b(?:don't|do not) disagree\b|\b(?:might|may|could|maybe|perhaps|probably not sure)\b/i;

/**
 * Classifies a reply to a finding: fixed, or will not be fixed. Null for questions, plans, doubts and anything else, and if
 * it says both.
 */
export function classifyReply(body: string): ReplyClass | null {
  if (body.length > maxLength) return null;
  const sentences = sentencesOf(plainProse(body));
  if (sentences.length > maxSentences) return null;
  const found = new Set<ReplyClass>();
  for (const sentence of sentences.map((each) => each.replace(picture, ''))) {
    if (question.test(sentence)) continue;
    if (wontFix.some((pattern) => pattern.test(sentence))) {
      if (!notWontFix.test(sentence)) found.add('wont_fix');
    } else if (saysFixed(sentence) && !unfinished.test(sentence)) found.add('fixed');
    else if (saysWontFixAbroad(sentence)) found.add('wont_fix');
    else if (saysFixedAbroad(sentence)) found.add('fixed');
  }
  return found.size === 1 ? [...found][0]! : null;
}

function saysFixed(sentence: string): boolean {
  let rest = sentence;
  for (let count = 0; count < maxLeadIns; count += 1) {
    if (fixed.some((pattern) => pattern.test(rest))) return true;
    rest = rest.replace(leadIn, '');
  }
  return false;
}
