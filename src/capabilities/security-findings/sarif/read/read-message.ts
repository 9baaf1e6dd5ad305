import { FINDING_LIMITS } from '../scan-finding.ts';
import type { FoundRule } from './rule-index.ts';
import type { Message, SarifResult } from './sarif-shape.ts';

/** One more than is kept, so that the reader still sees that a text is too long. */
const MAX_LENGTH = FINDING_LIMITS.descriptionLength + 1;

/**
 * Plain text of a message: its own, or the one its id names in the rule or tool, with arguments filled in; empty
 * when the log has none.
 */
export function messageText(message: Message | null | undefined, rule: FoundRule): string {
  if (!message) return '';
  const named = message.id == null ? undefined : namedText(message.id, rule);
  const text = (message.text ?? message.markdown ?? named?.text ?? named?.markdown ?? '').slice(
    0,
    MAX_LENGTH,
  );
  // Without arguments braces stand for themselves: hardly a tool doubles them then.
  return message.arguments?.length ? fillIn(text, message.arguments) : text;
}

/** Text of a result's message in which a link to one of its own locations reads as its words. */
export function resultText(result: SarifResult, rule: FoundRule): string {
  const text = messageText(result.message, rule);
  const ids = new Set([...(result.locations ?? []), ...(result.relatedLocations ?? [])].map(({ id }) => id));
  return text.replace(/\[((?:[^[\]\\]|\\.){1,500})\]\((\d{1,9})\)/g, (link, words: string, id: string) =>
    ids.has(Number(id)) ? words.replace(/\\(.)/g, '$1') : link,
  );
}

function namedText(id: string, { descriptor, component }: FoundRule) {
  return [descriptor?.messageStrings, component.globalMessageStrings]
    .map((strings) => (strings && Object.hasOwn(strings, id) ? strings[id] : undefined))
    .find((found) => found !== undefined);
}

/** Replaces `{0}` and `{{`; what arguments may add is bounded, however often the text repeats a long one. */
function fillIn(text: string, args: readonly string[]): string {
  let room = MAX_LENGTH;
  return text.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (match, digits?: string) => {
    if (digits === undefined) return match.charAt(0);
    const filled = (args[Number(digits)] ?? match).slice(0, room);
    room -= filled.length;
    return filled;
  });
}
