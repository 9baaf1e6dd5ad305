import type { Import, Use } from './code-facts.ts';

/** Uses for imports by name that have no other use: the import itself fails if the name is removed. */
export function importsAsUses(imports: readonly Import[]): Use[] {
  return imports
    .filter(({ imported, isGuarded }) => imported !== '*' && imported !== '' && !isGuarded)
    .map(({ imported, from, line }) => ({
      name: imported,
      from,
      members: [],
      line,
      call: null,
      isNew: false,
      result: 'passed_on',
    }));
}
