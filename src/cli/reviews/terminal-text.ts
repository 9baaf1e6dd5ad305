import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export function painter(hasColour: boolean): Paint {
  return (style, text) => (hasColour ? styleText(style, text, { validateStream: false }) : text);
}

/** Removes control characters: code under review must not control the terminal. */
export function printable(text: string): string {
  return [...text].filter((character) => character === '\n' || isPrintable(character)).join('');
}

/** A name or title on one line; unprintable characters are shown as escapes. */
export function onOneLine(text: string): string {
  const numberOf = (character: string) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  return [...text].map((character) => (isPrintable(character) ? character : numberOf(character))).join('');
}

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (
    code >= 0x20 &&
    code !== 0x7f &&
    !(code >= 0x80 && code < 0xa0) &&
    !/[\u202a-\u202e\u2066-\u2069]/.test(character)
  );
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
