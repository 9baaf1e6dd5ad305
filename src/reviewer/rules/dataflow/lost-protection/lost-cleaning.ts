import { bare, type Edit, indentOf, isFunctionRemoved, linesAfter } from './edits.ts';
import type { LostProtection } from './lost-protection.ts';

const cleanerName =
  '(?:[\\w$]+\\.)*(?:(?!un)[\\w$]*?(?:escape|sanitiz|sanitis|purif)[\\w$]*|preventXSS|filterXSS|xss|shlex\\.quote|shellQuote|htmlspecialchars|htmlentities|secure_filename|EscapeString)';
const cleanerCall = new RegExp(`(?<![\\w$.])(${cleanerName})\\(`, 'gi');
/** Functions and properties with such names may sanitize as well. */
const anyCleaner =
  /(?:escap|sanit|purif|quot|encod|clean|xss|safe|strip|entit|filter)[\w$]*\s*\(|textContent|innerText|\.text\(|html`/i;
/** Code that turns a text into markup. */
const markup = /<\/?[a-z!]|innerHTML|outerHTML|__html|\.html\(|document\.write|insertAdjacentHTML/i;

/** Finds an `escape(x)` that was replaced by `x` in the same text. */
export function lostCleaning({ removed, added }: Edit, allAdded: string): LostProtection[] {
  if (added.length === 0 || anyCleaner.test(allAdded)) return [];
  const before = removed.map(({ text }) => text).join('\n');
  const now = bare(added.map(({ text }) => text).join('\n'));
  for (const { 1: name, index, 0: opening } of before.matchAll(cleanerCall)) {
    const subject = argumentAt(before, index + opening.length);
    if (subject === null || !/^[A-Za-z_$]/.test(subject)) continue;
    const place = added.find(({ text }) => holds(text, subject));
    if (place === undefined || isChildOfElement(place.text, subject)) continue;
    const isUnwrapped = bare(withoutCleaners(before)) === now;
    if (!isUnwrapped && !markup.test(place.text)) continue;
    const last = name!.slice(name!.lastIndexOf('.') + 1);
    return [
      {
        rule: 'cleaning-removed',
        startLine: place.number,
        endLine: place.number,
        message: `Until now, \`${subject}\` was passed through \`${name}\``,
        movedBy: new RegExp(`\\b${RegExp.escape(last)}\\b`),
      },
    ];
  }
  return [];
}

const entities = /&(?:lt|gt|amp|quot|#0*39|#x27);|\.replace\(\s*\/\[[^\]]*[<>][^\]]*\]/i;

/** Finds a removed `x.replace(/</g, '&lt;')` where `x` still becomes markup. */
export function lostEntities(
  { removed, added, next }: Edit,
  lines: readonly string[],
  allAdded: string,
): LostProtection[] {
  if (entities.test(allAdded) || anyCleaner.test(allAdded)) return [];
  for (const [index, { text }] of removed.entries()) {
    const subject = entities.test(text) ? /([\w$.]+)\s*\.replace\(/.exec(text)?.[1] : undefined;
    if (subject === undefined || isFunctionRemoved(removed, index)) continue;
    const after = linesAfter(lines, added[0]?.number ?? next, indentOf(text));
    const place = after.find((line) => markup.test(line.text) && holds(line.text, subject));
    if (place === undefined || isChildOfElement(place.text, subject)) continue;
    return [
      {
        rule: 'cleaning-removed',
        startLine: place.number,
        endLine: place.number,
        message: `Until now, the HTML special characters in \`${subject}\` were escaped`,
        movedBy: entities,
      },
    ];
  }
  return [];
}

/** Whether a value is the content of an element: frameworks escape it. */
const isChildOfElement = (text: string, subject: string) =>
  !/__html/.test(text) && new RegExp(`(?<!\\$)\\{+\\s*${RegExp.escape(subject)}\\s*\\}`).test(text);

const holds = (text: string, subject: string) =>
  new RegExp(`(?<![\\w$.])${RegExp.escape(subject)}(?![\\w$(])`).test(text);

const maxArgument = 200;

/** The first argument of a call; null if its end is not in the text. */
function argumentAt(text: string, start: number): string | null {
  let depth = 0;
  for (let index = start; index < Math.min(text.length, start + maxArgument); index += 1) {
    const sign = text[index]!;
    if ((sign === ')' || sign === ',') && depth === 0) return text.slice(start, index).trim();
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
  }
  return null;
}

/** A text with all calls that sanitize replaced by their arguments. */
function withoutCleaners(text: string): string {
  let rest = text;
  for (let round = 0; round < 20; round += 1) {
    cleanerCall.lastIndex = 0;
    const match = cleanerCall.exec(rest);
    if (match === null) break;
    const start = match.index + match[0].length;
    const argument = argumentAt(rest, start);
    const end = rest.indexOf(')', start + (argument?.length ?? 0));
    if (argument === null || end === -1) break;
    rest = rest.slice(0, match.index) + argument + rest.slice(end + 1);
  }
  cleanerCall.lastIndex = 0;
  return rest;
}
