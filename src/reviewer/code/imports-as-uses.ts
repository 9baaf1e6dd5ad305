import type { Import, Use } from './code-facts.ts';

/** Imports by name that are the only ones to use what they name: they fail when it is gone. */
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
      result: 'handed_on',
    }));
}
