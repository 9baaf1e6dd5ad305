import type { CodeFacts, Definition, Export } from './code-facts.ts';

/** How a name is called that a file gives; one that hands on everything, by where that comes from. */
export const nameGiven = ({ name, from }: Export): string => (name === '*' ? `* from '${from}'` : name);

/** What a file gives although it does not define it by a name of its own: what it hands on, and what only its exports name. */
export function onlyGiven({ definitions, exports }: CodeFacts): Definition[] {
  const own = new Set<string | null>(definitions.map(({ name }) => name));
  return exports
    .filter(({ local }) => !own.has(local))
    .map(
      (each): Definition =>
        each.definition ?? {
          name: nameGiven(each),
          kind: 'value',
          startLine: each.line,
          endLine: each.line,
          isAsync: false,
          parameters: null,
        },
    );
}
