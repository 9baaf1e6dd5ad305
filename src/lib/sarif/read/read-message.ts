import { FINDING_LIMITS } from '../scan-finding.ts';
import type { FoundRule } from './rule-index.ts';
import type { Message, SarifResult } from './sarif-shape.ts';

/** One more than is kept, so that clipping later notices that a text is too long. */
const MAX_LENGTH = FINDING_LIMITS.descriptionLength + 1;

/**
 * Returns the plain text of a message: its own, or the one with its id in the rule or tool, with arguments filled in; empty
 * if the log has none.
 */
export function messageText(message: Message | null | undefined, rule: FoundRule): string {
  if (!message) return '';
  const named = message.id == null ? undefined : namedText(message.id, rule);
  const text = (message.text ?? message.markdown ?? named?.text ?? named?.markdown ?? '').slice(
    0,
    MAX_LENGTH,
  );
  // Without arguments braces are literal: hardly any tool escapes them in that case.
  return message.arguments?.length ? fillInArguments(text, message.arguments) : text;
}

/** Returns the text of a result's message, with links to its own locations replaced by their labels. */
export function resultText(result: SarifResult, rule: FoundRule): string {
  const text = messageText(result.message, rule);
  const ids = new Set([...(result.locations ?? []), ...(result.relatedLocations ?? [])].map(({ id }) => id));
  return text.replace(/\[((?:[^[\]\\]|\\.){1,500})\]\((\d{1,9})\)/g, (link, label: string, id: string) =>
    ids.has(Number(id)) ? label.replace(/\\(.)/g, '$1') : link,
  );
}

function namedText(id: string, { descriptor, component }: FoundRule) {
  return [descriptor?.messageStrings, component.globalMessageStrings]
    .map((strings) => (strings && Object.hasOwn(strings, id) ? strings[id] : undefined))
    .find((found) => found !== undefined);
}

/** Replaces `{0}` and `{{`. The total length of inserted arguments is bounded, however often the text repeats them. */
function fillInArguments(text: string, args: readonly string[]): string {
  let room = MAX_LENGTH;
  return text.replace(/\{\{|\}\}|\{(\d{1,4})\}/g, (match, digits?: string) => {
    if (digits === undefined) return match.charAt(0);
    const filled = (args[Number(digits)] ?? match).slice(0, room);
    room -= filled.length;
    return filled;
  });
}
