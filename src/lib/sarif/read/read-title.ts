import type { Descriptor } from './sarif-shape.ts';

type DescribedRule = Pick<Descriptor, 'shortDescription' | 'fullDescription' | 'name'>;

/** The rule's own description makes the best title; failing that, the first line of the message. */
export function titleOf(descriptor: DescribedRule | null, ruleId: string | null, message: string): string {
  const { shortDescription, fullDescription, name } = descriptor ?? {};
  return (
    shortDescription?.text?.trim() ||
    firstLine(fullDescription?.text) ||
    (name !== ruleId && name?.trim()) ||
    firstLine(message)
  );
}

function firstLine(text: string | null | undefined): string {
  return text?.trim().split(/[\r\n]/, 1)[0] ?? '';
}
