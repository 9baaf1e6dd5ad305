import { createHash } from 'node:crypto';

/** Makes text storable (no NUL, no lone surrogates), trims it, and shortens it with `…` if it is too long. */
export function clipText(text: string, maxLength: number): string {
  return shorten(toStorableText(text).trim(), maxLength);
}

/** The same, but keeps leading and trailing white space. */
export function clipWholeText(text: string, maxLength: number): string {
  return shorten(toStorableText(text), maxLength);
}

/** Makes a name storable. If it is too long, it is shortened and a hash is appended, so that different names stay different. */
export function clipName(name: string, maxLength: number): string {
  const clean = toStorableText(name);
  if (clean.length <= maxLength) return clean;
  const mark = createHash('sha256').update(clean).digest('hex').slice(0, 16);
  return `${cut(clean, maxLength - mark.length - 1)}~${mark}`;
}

function shorten(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${cut(text, maxLength - 1)}…`;
}

/** Removes what the database cannot store. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, length: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}
