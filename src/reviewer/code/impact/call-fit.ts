import type { CallArguments, Parameter } from '../code-facts.ts';

/** Why a call does not match the parameters, as text; null if it does, or if that is unknown. */
export function misfitOf(
  { count, isOpen, keywords }: CallArguments,
  parameters: readonly Parameter[],
  /** Whether the language itself rejects calls that do not match. */
  isStrict: boolean,
): string | null {
  const named = new Set(keywords);
  const byPlace = parameters.filter(({ kind, isRest }) => kind !== 'keyword' && !isRest);
  const takesAny = parameters.some(({ isRest, kind }) => isRest && kind !== 'keyword');
  const takesAnyName = parameters.some(({ isRest, kind }) => isRest && kind === 'keyword');
  const unknown = keywords.find(
    (name) => !takesAnyName && !parameters.some((each) => each.name === name && each.kind !== 'positional'),
  );
  if (unknown !== undefined) return `passes ${unknown}, which is not a parameter`;
  if (isOpen) return null;
  if (count > byPlace.length && !takesAny)
    return `passes ${count} ${count === 1 ? 'argument' : 'arguments'}, but at most ${byPlace.length} can be given`;
  const missing = parameters.filter((each, index) => {
    const isGiven = named.has(each.name) || (each.kind !== 'keyword' && index < count);
    return !isGiven && !each.isOptional && !each.isRest && (isStrict || each.isNeeded);
  });
  if (missing.length === 0) return null;
  return `does not pass ${missing.map(({ name }) => name).join(', ')}`;
}
