import type { Descriptor } from './sarif-shape.ts';

type DescribedRule = Pick<Descriptor, 'shortDescription' | 'fullDescription' | 'name'>;

/** The rule's own description makes the best title; failing that, the first line of the message. */
export function titleOf(descriptor: DescribedRule | null, ruleId: string | null, message: string): string {
  const { shortDescription, fullDescription, name } = descriptor ?? {};
  return (
    describing(shortDescription?.text?.trim()) ||
    describing(firstLine(fullDescription?.text)) ||
    (name !== ruleId && name?.trim()) ||
    firstLine(message)
  );
}

/** Clippy describes some rules only by a link to their documentation, which is no title. */
const pointer = /^(?:for (?:further|more) information\b.*|see:?\s*)?\bhttps?:\/\/\S+$/i;

const maxPointerLength = 300;

function describing(text: string | undefined): string {
  const first = firstLine(text);
  const isPointer = first.length <= maxPointerLength && pointer.test(first);
  return text === undefined || isPointer ? '' : text;
}

function firstLine(text: string | null | undefined): string {
  return text?.trim().split(/[\r\n]/, 1)[0] ?? '';
}
