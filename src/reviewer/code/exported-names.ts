import type { CodeFacts, Definition, Export } from './code-facts.ts';

/** The name of an export. A re-export of everything includes its module, because a file can have several. */
export const nameOfExport = ({ name, from }: Export): string => (name === '*' ? `* from '${from}'` : name);

/** The exports of a file that are not among its named definitions: re-exports, and values that only have an exported name. */
export function unnamedExports({ definitions, exports }: CodeFacts): Definition[] {
  const own = new Set<string | null>(definitions.map(({ name }) => name));
  return exports
    .filter(({ local }) => !own.has(local))
    .map(
      (each): Definition =>
        each.definition ?? {
          name: nameOfExport(each),
          kind: 'value',
          startLine: each.line,
          endLine: each.line,
          isAsync: false,
          parameters: null,
        },
    );
}
